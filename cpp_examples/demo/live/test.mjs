// Looks at the live page in a browser: clicks, drags, and steps it without drawing.
//
//   node test.mjs [PAGE]     builds the page into a temporary folder, or takes one that build.mjs made; leaves pictures beside a given one
//
// Needs Debian's chromium (or CHROMIUM=its path), which draws in software, and playwright-core in out/page.

import "./tests/breaking.mjs";
import "./tests/compare.mjs";
import "./tests/model.mjs";
import "./tests/notes.mjs";
import "./tests/view.mjs";
