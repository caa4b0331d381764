// What a linter sees that types do not: dead code, shadows, comparisons that convert, and text that would become markup.
import js from '@eslint/js';
import globals from 'globals';

const message = 'what a model says is only ever text: see dom.js';

export default [
  js.configs.recommended,
  { files: ['src/**/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['*.js'], languageOptions: { globals: globals.node } },
  {
    rules: {
      'array-callback-return': ['error', { checkForEach: false }],
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'no-else-return': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'].map((property) => ({ property, message })),
        { object: 'document', property: 'write', message },
      ],
      'no-shadow': 'error',
      'no-unused-expressions': 'error',
      'no-useless-rename': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
    },
  },
];
