// Reads SDF files with libsdformat: a line of JSON for each line of the input, which is a word, search folders with
// colons between them, and the file, with tabs between the three. Poses are x y z qw qx qy qz in the world (or the frame
// of the root). Where the word is "document": the document itself, all that it includes in place. Each file is read by
// a process of its own, which ends after LIMIT seconds; {"died": status} tells of one that gave no answer.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sdf/sdf.hh>

static const unsigned int LIMIT = 20;  // libsdformat does not end on files that include each other

static std::string text(const std::string &words)
{
  std::string out = "\"";
  for (const unsigned char letter : words)
  {
    if (letter == '"' || letter == '\\')
      (out += '\\') += static_cast<char>(letter);
    else if (letter < 0x20)
    {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", letter);
      out += code;
    }
    else
      out += static_cast<char>(letter);
  }
  return out + "\"";
}

static std::string number(double value)
{
  if (std::isnan(value))
    return "null";
  if (std::isinf(value))
    return value > 0 ? "1e999" : "-1e999";
  char digits[40];
  std::snprintf(digits, sizeof(digits), "%.17g", value);
  return digits;
}

static std::string posed(const ignition::math::Pose3d &pose)
{
  std::string out = "[";
  for (const double value : {pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z(), pose.Rot().W(), pose.Rot().X(),
                             pose.Rot().Y(), pose.Rot().Z()})
    out += (out.size() > 1 ? "," : "") + number(value);
  return out + "]";
}

// In the order of sdf::JointType.
static const char *const TYPES[] = {"invalid", "ball", "continuous", "fixed", "gearbox", "prismatic", "revolute",
                                    "revolute2", "screw", "universal"};

struct Sheet
{
  std::string links, joints, frames, errors;

  static void add(std::string &list, const std::string &item)
  {
    list += (list.empty() ? "" : ",") + item;
  }

  void fault(const std::string &where, const sdf::Errors &found)
  {
    for (const auto &error : found)
      add(errors, "{\"code\":" + std::to_string(static_cast<int>(error.Code())) + ",\"where\":" + text(where) +
                      ",\"message\":" + text(error.Message()) + "}");
  }

  template <class T>
  ignition::math::Pose3d place(const T &thing, const std::string &name, const ignition::math::Pose3d &scope)
  {
    ignition::math::Pose3d pose;
    fault(name, thing.SemanticPose().Resolve(pose, "__model__"));
    return scope * pose;
  }

  void model(const sdf::Model &model, const std::string &path, const ignition::math::Pose3d &scope)
  {
    const std::string prefix = path.empty() ? "" : path + "::";
    for (uint64_t i = 0; i < model.LinkCount(); ++i)
    {
      const auto &link = *model.LinkByIndex(i);
      const std::string name = prefix + link.Name();
      const auto &inertial = link.Inertial();
      const auto &moments = inertial.MassMatrix();
      std::string tensor;
      for (const double value : {moments.Ixx(), moments.Iyy(), moments.Izz(), moments.Ixy(), moments.Ixz(),
                                 moments.Iyz()})
        add(tensor, number(value));
      std::string measures;
      for (uint64_t k = 0; k < link.SensorCount(); ++k)
        add(measures, text(link.SensorByIndex(k)->Name()) + ":" +
                          text(link.SensorByIndex(k)->ToElement()->ToString("")));
      add(links, text(name) + ":{\"pose\":" + posed(place(link, name, scope)) + ",\"mass\":" +
                     number(moments.Mass()) + ",\"com\":" + posed(inertial.Pose()) + ",\"tensor\":[" + tensor +
                     "],\"visuals\":" + std::to_string(link.VisualCount()) + ",\"collisions\":" +
                     std::to_string(link.CollisionCount()) + ",\"sensors\":" + std::to_string(link.SensorCount()) +
                     ",\"measures\":{" + measures + "},\"lights\":" + std::to_string(link.LightCount()) + "}");
    }
    for (uint64_t i = 0; i < model.JointCount(); ++i)
    {
      const auto &joint = *model.JointByIndex(i);
      const std::string name = prefix + joint.Name();
      std::string parent, child, axes;
      fault(name, joint.ResolveParentLink(parent));
      fault(name, joint.ResolveChildLink(child));
      for (unsigned int index = 0; index < 2; ++index)
      {
        const auto *axis = joint.Axis(index);
        if (axis == nullptr)
          continue;
        ignition::math::Vector3d xyz;
        fault(name, axis->ResolveXyz(xyz));
        add(axes, "{\"xyz\":[" + number(xyz.X()) + "," + number(xyz.Y()) + "," + number(xyz.Z()) + "],\"lower\":" +
                      number(axis->Lower()) + ",\"upper\":" + number(axis->Upper()) + ",\"effort\":" +
                      number(axis->Effort()) + ",\"velocity\":" + number(axis->MaxVelocity()) + ",\"damping\":" +
                      number(axis->Damping()) + ",\"friction\":" + number(axis->Friction()) + "}");
      }
      add(joints, text(name) + ":{\"type\":" + text(TYPES[static_cast<int>(joint.Type())]) + ",\"pose\":" +
                      posed(place(joint, name, scope)) + ",\"parent\":" +
                      text(parent == "world" ? parent : prefix + parent) + ",\"child\":" + text(prefix + child) +
                      ",\"axes\":[" + axes + "]}");
    }
    for (uint64_t i = 0; i < model.FrameCount(); ++i)
    {
      const auto &frame = *model.FrameByIndex(i);
      const std::string name = prefix + frame.Name();
      std::string body;
      fault(name, frame.ResolveAttachedToBody(body));
      add(frames, text(name) + ":{\"pose\":" + posed(place(frame, name, scope)) + ",\"body\":" +
                      text(prefix + body) + "}");
    }
    for (uint64_t i = 0; i < model.ModelCount(); ++i)
    {
      const auto &inner = *model.ModelByIndex(i);
      const std::string name = prefix + inner.Name();
      this->model(inner, name, place(inner, name, scope));
    }
  }
};

static std::string answer(const std::string &word, const std::string &list, const std::string &file,
                          const sdf::SDFPtr &document)
{
  std::vector<std::string> folders;
  std::stringstream words(list);
  for (std::string folder; std::getline(words, folder, ':');)
    folders.push_back(folder);
  sdf::ParserConfig config;
  const auto own = std::filesystem::absolute(file).parent_path().string();
  const auto find = [&](const std::string &uri) -> std::string {
    const auto scheme = uri.find("://");
    const std::string name = scheme == std::string::npos ? uri : uri.substr(scheme + 3);
    for (const auto &folder : folders)
      if (std::filesystem::exists(folder + "/" + name))
        return folder + "/" + name;
    return std::filesystem::exists(own + "/" + name) ? own + "/" + name : "";
  };
  config.SetFindCallback(find);
  sdf::setFindCallback(find);  // the only one that is asked for what an included file includes
  Sheet sheet;
  sdf::Root root;
  sdf::Errors unread;
  // What Root::Load does with the name of a file, except that it describes the format anew each time.
  if (sdf::readFile(file, config, document, unread))
  {
    sheet.fault(file, unread);
    sheet.fault(file, root.Load(document, config));
  }
  else
  {
    unread.emplace_back(sdf::ErrorCode::FILE_READ, "Unable to read file:" + file);
    sheet.fault(file, unread);
  }
  if (word == "document")
    return "{\"document\":" + text(root.Element() ? root.Element()->ToString("") : "") + ",\"errors\":[" +
           sheet.errors + "]}";
  if (const auto *model = root.Model())
  {
    ignition::math::Pose3d pose = model->RawPose();
    if (!model->PlacementFrameName().empty())
    {
      const auto semantic = model->SemanticPose();
      sheet.fault(model->Name(), semantic.Resolve(pose, "__root__"));
    }
    sheet.model(*model, "", pose);
  }
  for (uint64_t i = 0; i < root.WorldCount() && i < 1; ++i)
  {
    const auto &world = *root.WorldByIndex(i);
    for (uint64_t j = 0; j < world.ModelCount(); ++j)
    {
      const auto &model = *world.ModelByIndex(j);
      ignition::math::Pose3d pose;
      sheet.fault(model.Name(), model.SemanticPose().Resolve(pose, "world"));
      sheet.model(model, model.Name(), pose);
    }
    for (uint64_t j = 0; j < world.FrameCount(); ++j)
    {
      const auto &frame = *world.FrameByIndex(j);
      ignition::math::Pose3d pose;
      sheet.fault(frame.Name(), frame.SemanticPose().Resolve(pose, "world"));
      std::string body;
      sheet.fault(frame.Name(), frame.ResolveAttachedToBody(body));
      Sheet::add(sheet.frames, text(frame.Name()) + ":{\"pose\":" + posed(pose) + ",\"body\":" + text(body) + "}");
    }
  }
  return "{\"file\":" + text(file) + ",\"links\":{" + sheet.links + "},\"joints\":{" + sheet.joints + "},\"frames\":{" +
         sheet.frames + "},\"errors\":[" + sheet.errors + "]}";
}

static void say(int out, const std::string &line)
{
  for (size_t done = 0; done < line.size();)
  {
    const auto count = write(out, line.data() + done, line.size() - done);
    if (count <= 0)
      _exit(2);
    done += count;
  }
}

int main()
{
  const int out = dup(1);
  dup2(open("/dev/null", O_WRONLY), 1);  // what the library prints is no answer
  sdf::Console::Instance()->SetQuiet(true);
  sdf::SDFPtr document(new sdf::SDF());
  sdf::init(document);
  for (std::string line; std::getline(std::cin, line);)
  {
    std::stringstream fields(line);
    std::string word, folders, file;
    std::getline(std::getline(std::getline(fields, word, '\t'), folders, '\t'), file, '\t');
    const pid_t child = fork();
    if (child == 0)
    {
      alarm(LIMIT);
      say(out, answer(word, folders, file, document) + "\n");
      _exit(0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
      say(out, "{\"died\":" + std::to_string(WIFSIGNALED(status) ? -WTERMSIG(status) : status) + "}\n");
  }
  return 0;
}
