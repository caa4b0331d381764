"""<experimental:params>: changes that an <include> makes to the included model, applied before that model is read.

An element is addressed by the names on the path to it (@element_id="link::visual"), in the model and its includes. It
or its children are added, removed, replaced or modified (@action), with the errors of libsdformat. Content from the
including file is copied, and copies are not counted; the changes stay in place, marked as read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from converters.sdf.document.loading import Included, SdfLoading
from converters.sdf.document.values import merges
from converters.source.shadow import shadow
from converters.source.tree import Comment, is_element
from converters.source.xml import Node
from ir.scopes import DELIMITER

PARAMS = "experimental:params"
ACTIONS = ("add", "modify", "remove", "replace")
ADDRESS = ("element_id", "action")
RULE = "sdf/include-params"
DEFAULTS = {"diffuse": "0 0 0 1"}
"""Values of removed elements that mean something else if missing: without diffuse, a material uses ambient."""
OVERRIDES = ("pose", "static")
"""Children of an <include> that replace those of the model."""

Find = Callable[[Node], Included | None]
"""Returns the model of an <include> inside an included model, with that include's own changes applied."""


def make_changes(include: Node, top: Node, find: Find, loading: SdfLoading) -> None:
    """Apply the changes of an <include> to the model that it includes."""
    found = include.findall(PARAMS)
    if not found:
        return
    changes = _Changes(top, find, loading)
    for item in found[1:]:
        loading.context.note(RULE, changes.where, "only the first of them is used", item.source, action="ignored")
    for change in found[0].visit().elements():
        changes.make(change)


_Position = tuple[int, int]
"""Of a child: its index in the content, and its position among the children with its tag."""


class _Spot(Struct):
    """An element, its parent, and the included model if it is an <include> (else the element itself)."""

    parent: Node
    node: Node
    inner: Node


class _Changes(Struct):
    """The changes of one include. names: children of an element by name, kept up to date as elements come and go."""

    top: Node
    find: Find
    loading: SdfLoading
    names: dict[Node, dict[str, list[Node]]] = field(default_factory=dict)
    last: dict[tuple[Node, str], int] = field(default_factory=dict)
    """(element, tag) -> position of the last child with that tag."""

    @property
    def where(self) -> str:
        return f"include/{self.top.attrs.get('name', '')}"

    def _fault(self, code: str, reason: str, change: Node) -> None:
        before = f"<{change.tag} element_id={change.attrs.get('element_id', '')!r}>"
        self.loading.fault(code, self.where, f"{reason}; not changed", change.source, before)

    # ------------------------------------------------------------------------------------------------ one element

    def make(self, change: Node) -> None:
        address, action = change.attrs.get("element_id"), change.attrs.get("action")
        if address is None:
            self._fault("ATTRIBUTE_MISSING", "a change needs an element_id", change)
        elif address.endswith(DELIMITER):
            self._fault("ATTRIBUTE_INVALID", "no name follows the last '::' of the element_id", change)
        elif action is not None and action not in ACTIONS:
            self._fault("ATTRIBUTE_INVALID", f"{action!r} is no action", change)
        elif action == "add":
            self._add(change, address)
        else:
            spot = self._spot(address, change.tag)
            if spot is None:
                self._fault("ELEMENT_MISSING", "there is no such element", change)
            elif action is None:
                target = self._model_brought(spot)
                for child in change.elements():
                    self._change_children(child, target)
                _read_attributes(change)
            else:
                self._carry_out(
                    action, change, spot.parent, self._model_brought(spot) if action == "modify" else spot.node
                )

    def _add(self, change: Node, address: str) -> None:
        name = change.attrs.get("name")
        spot = self._spot(address, None) if address else _Spot(self.top, self.top, self.top)
        if not name:
            code = "ATTRIBUTE_MISSING" if name is None else "ATTRIBUTE_INVALID"
            self._fault(code, "what is added needs a name", change)
        elif change.tag in ("include", PARAMS):
            self._fault("ELEMENT_INVALID", f"<{change.tag}> cannot be added", change)
        elif spot is None:
            self._fault("ELEMENT_MISSING", "there is no element to add it to", change)
        elif change.tag != "plugin" and any(
            item.tag == change.tag for item in self._children_by_name(spot.inner).get(name, ())
        ):
            self._fault("DUPLICATE_NAME", f"there is one named {name!r} already", change)
        else:
            self._put_at_place(change, spot.inner)

    def _carry_out(self, action: str, change: Node, parent: Node, target: Node) -> None:
        """Remove, replace or modify an element; remove acts on children if the change lists any."""
        if action == "modify":
            self._modify(change, parent, target)
        elif action == "remove":
            wanted = [*change.elements()]
            for item in wanted:
                found = self._changed_child(item, target)
                if found is None:
                    self._fault("ELEMENT_MISSING", f"there is no <{item.tag}> to remove", item)
                else:
                    self._take(target, found)
                    _mark_read(item)
            if not wanted:
                self._take(parent, target)
            _read_attributes(change)
        elif "name" in target.attrs and "name" not in change.attrs:
            self._fault("ATTRIBUTE_MISSING", "what replaces an element with a name needs one", change)
        else:
            self._put_at_place(change, parent, self._take(parent, target))

    # --------------------------------------------------------------------------------------------------- children

    def _change_children(self, change: Node, parent: Node) -> None:
        """Apply one child of a change without an action of its own."""
        action = change.attrs.get("action")
        if action is None or action not in ACTIONS:
            code = "ATTRIBUTE_MISSING" if action is None else "ATTRIBUTE_INVALID"
            self._fault(code, "a child of a change without an action needs one of its own", change)
            return
        if action == "add":
            self._put_at_place(change, parent)
            return
        found = self._changed_child(change, parent)
        if found is None:
            self._fault("ELEMENT_MISSING", f"there is no such <{change.tag}>", change)
        else:
            self._carry_out(action, change, parent, found)

    def _changed_child(self, change: Node, parent: Node) -> Node | None:
        """Return the child that a change refers to: by tag and name, or the first with that tag."""
        name = change.attrs.get("name")
        candidates = self._children_by_name(parent).get(name, []) if name is not None else parent.elements()
        return next((item for item in candidates if item.tag == change.tag), None)

    def _named_by_change(self, change: Node, parent: Node) -> Node | None:
        """Return the first child with the tag of the change and without a name, which the change then names."""
        found = (item for item in parent.findall(change.tag) if "name" not in item.attrs)
        return next(found, None)

    def _modify(self, change: Node, parent: Node, target: Node) -> None:
        """Change attributes and values, recursively; an empty nested element of the change resets to the default."""
        top = change
        stack: list[tuple[Node, Node, Node | None]] = [(change, parent, target)]
        while stack:
            change, parent, known = stack.pop()
            found = known or self._changed_child(change, parent) or self._named_by_change(change, parent)
            if found is None:
                self._fault("ELEMENT_MISSING", f"there is no <{change.tag}> to modify", change)
                continue
            target = self._modified(change, parent, found, change is top)
            stack += [(item, target, None) for item in reversed(change.elements())]

    def _modified(self, change: Node, parent: Node, target: Node, top: bool) -> Node:
        """Return the element with the attributes and value of the change; nested changes are applied later.

        If neither has children, the value is replaced; an empty change removes the element or sets its default (top:
        not for the change that addresses the element).
        """
        own = {name: value for name, value in change.attrs.items() if name not in ADDRESS}
        leaf = not change.elements()
        says = _has_text(change)
        value = leaf and not target.elements() and (says or not top)
        if value and not (says or own or target.attrs or ":" in change.tag):
            place = self._take(parent, target)
            if change.tag in DEFAULTS:
                target = self._insert(shadow(change, {}), parent, place)
                target.content = [DEFAULTS[change.tag]]
        elif value or any(target.attrs.get(name) != said for name, said in own.items()):
            place = self._take(parent, target)
            new = shadow(change if value else target, {**target.attrs, **own})
            target = self._insert(new, parent, place)
        _read_attributes(change)
        if value:
            change.text()
        elif leaf and not own:
            reason = "it contains no changes; nothing changes there"
            self.loading.context.note(RULE, self.where, reason, change.source, action="ignored", severity="note")
        return target

    # ------------------------------------------------------------------------------------------------------ trees

    def _put_at_place(self, change: Node, parent: Node, place: _Position | None = None) -> None:
        attrs = {name: value for name, value in change.attrs.items() if name not in ADDRESS}
        self._insert(shadow(change, attrs), parent, place)
        _mark_read(change)

    def _insert(self, node: Node, parent: Node, place: _Position | None) -> Node:
        """Insert an element at the place of a removed one, or at the end."""
        if place is None:
            place = len(parent.content), self._last_place(parent, node.tag) + 1
            self.last[parent, node.tag] = place[1]
        node.parent = parent
        index, node.position = place
        parent.content.insert(index, node)
        if "name" in node.attrs and parent in self.names:
            self.names[parent].setdefault(node.attrs["name"], []).append(node)
        return node

    def _last_place(self, parent: Node, tag: str) -> int:
        if (parent, tag) not in self.last:
            self.last[parent, tag] = max((item.position for item in parent.findall(tag)), default=0)
        return self.last[parent, tag]

    def _take(self, parent: Node, node: Node) -> _Position:
        """Remove an element from the model; return its former place."""
        index = parent.content.index(node)
        del parent.content[index]
        named = self.names.get(parent, {}).get(node.attrs.get("name", ""), [])
        if node in named:
            named.remove(node)
        if node.document in self.loading.context.documents:
            node.document.gone.append(node)
        reason = "the include of this model removes or replaces it"
        before = f"<{node.tag} name={node.attrs['name']!r}>" if "name" in node.attrs else f"<{node.tag}>"
        self.loading.context.note(
            RULE, self.where, reason, node.source, before=before, action="ignored", severity="note"
        )
        return index, node.position

    # ---------------------------------------------------------------------------------------------------- finding

    def _children_by_name(self, parent: Node) -> dict[str, list[Node]]:
        if parent not in self.names:
            table = self.names[parent] = {}
            for item in parent.elements():
                if "name" in item.attrs:
                    table.setdefault(item.attrs["name"], []).append(item)
        return self.names[parent]

    def _spot(self, address: str, tag: str | None) -> _Spot | None:
        """Return the first element at an address; if tag is given, the first with that tag."""
        steps = address.split(DELIMITER)
        stack: list[tuple[_Spot, int]] = [(_Spot(self.top, self.top, self.top), 0)]
        while stack:
            spot, done = stack.pop()
            if done == len(steps):
                if tag is None or spot.node.tag == tag or (spot.node.tag == "include" and spot.inner.tag == tag):
                    return spot
            else:
                stack.extend(reversed([*self._spots_below(spot.inner, steps, done)]))
        return None

    def _spots_below(self, parent: Node, steps: list[str], done: int) -> Iterator[tuple[_Spot, int]]:
        """Yield children whose name matches the next steps; before SDF 1.8 one name can span several steps."""
        if not parent.content:
            return
        table = self._children_by_name(parent)
        known = False
        for end in range(len(steps), done, -1) if len(steps) - done <= MOST_STEPS else ():
            for item in table.get(DELIMITER.join(steps[done:end]), ()):
                known = True
                yield _Spot(parent, item, item), end
        if known:
            return
        for item in parent.findall("include"):
            found = self.find(item)
            if found is None:
                continue
            top = found.node
            if merges(item):
                yield from self._spots_below(top, steps, done)
            elif (top.attrs.get("name") if found.settled else _name(item, top)) == steps[done]:
                yield _Spot(parent, item, top), done + 1

    def _model_brought(self, spot: _Spot) -> Node:
        """Return the element itself; for an include, the included model with the include's overrides."""
        if spot.node.tag != "include":
            return spot.node
        found = self.find(spot.node)
        if found is not None and not found.settled:
            found.node, found.settled = _settled_model(spot.node, found.node), True
        return found.node if found is not None else spot.node


MOST_STEPS = 64
"""The most names in an address; longer addresses match nothing."""


def _name(include: Node, top: Node) -> str:
    said = include.peek("name")
    text = said.own_text() if said is not None else ""
    return text or top.attrs.get("name", "")


def _settled_model(include: Node, top: Node) -> Node:
    """Return a model with the name, pose, static and plugins that an include gives it, marking these as read."""
    model = shadow(top, {**top.attrs, "name": _name(include, top)}).visit()
    if top in top.document.root.content:
        top.document.root.content.remove(top)
        top.document.gone.append(top)
    for item in include.elements():
        if item.tag in OVERRIDES:
            model.content = [part for part in model.content if not is_element(part, item.tag)]
        elif item.tag == "placement_frame":
            model.attrs[item.tag] = item.text()
        if item.tag in (*OVERRIDES, "plugin"):
            own = shadow(item, item.attrs)
            own.parent = model
            model.content.append(own)
            _mark_read(item)
    return model


def _has_text(node: Node) -> bool:
    return any(not isinstance(item, (Node, Comment)) for item in node.content)


def _read_attributes(node: Node) -> None:
    node.visit()
    for name in node.attrs:
        node.get(name)


def _mark_read(node: Node) -> None:
    for item in node.below():
        _read_attributes(item)
        item.text()
