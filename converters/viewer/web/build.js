// node build.js OUT: one classic script of src/, since pages opened from disk may not load modules.
import { build } from 'esbuild';

await build({
  entryPoints: ['src/main.js'],
  outfile: process.argv[2],
  bundle: true,
  format: 'iife',
  target: 'es2022',
  minify: true,
  charset: 'ascii',
  legalComments: 'inline',
  logLevel: 'warning',
});
