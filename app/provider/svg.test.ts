import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findSvgFaults } from './svg.ts'

const drawing = (inside: string, attributes = 'viewBox="0 0 32 32"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`

test.each(['fantail/mark', 'fantail/icon', 'tui/mark', 'tui/icon'])('%s.svg is an acceptable SVG file', (name) => {
  expect(findSvgFaults(readFileSync(`demo/providers/${name}.svg`, 'utf8'))).toEqual([])
})

test.each([
  drawing('<path d="M1 1h9"/>'),
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- drawn by hand -->\n${drawing('')}\n`,
  drawing(
    '<title>Tom &amp; Co</title><defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
      '<rect width="9" height="9" fill="url(#a)"/>',
  ),
  drawing("<defs><g id='b'/></defs><use href='#b'/>"),
  drawing('<style>path { fill: red } @media (prefers-color-scheme: dark) { path { fill: blue } }</style><path d=""/>'),
])('SVG file number %# is accepted', (text) => expect(findSvgFaults(text)).toEqual([]))

test.each([
  [drawing('<script href="#a"/>'), 'must not contain <script>.'],
  [drawing('<SCRIPT href="#a"/>'), 'must not contain <SCRIPT>.'],
  [drawing('<foreignObject/>'), 'must not contain <foreignObject>.'],
  [drawing('<image href="#a"/>'), 'must not contain <image>.'],
  [drawing('<a href="#a"/>'), 'must not contain <a>.'],
  [drawing('<animate attributeName="href"/>'), 'must not contain <animate>.'],
  [drawing('<svg:script/>'), 'must not contain <svg:script>.'],
  [drawing('<path onclick="alert(1)"/>'), 'must not contain onclick, because it is code.'],
  [drawing('', 'viewBox="0 0 32 32" OnLoad="alert(1)"'), 'must not contain OnLoad, because it is code.'],
  [
    drawing('<use href="https://evil.example/#a"/>'),
    'must not contain href="https://evil.example/#a", because it points outside the drawing.',
  ],
  [
    drawing('<use xlink:href="mark.svg#a"/>'),
    'must not contain xlink:href="mark.svg#a", because it points outside the drawing.',
  ],
  [
    drawing('<use href="javascript:alert(1)"/>'),
    'must not contain href="javascript:alert(1)", because it points outside the drawing.',
  ],
  [
    drawing('<path fill="url(https://evil.example/a)"/>'),
    'must not contain fill="url(https://evil.example/a)", because it points outside the drawing.',
  ],
  [drawing('<path fill="u\\72l(a)"/>'), 'must not contain fill="u\\72l(a)", because it points outside the drawing.'],
  [
    drawing('<path fill="&#117;rl(a)"/>'),
    'must not contain fill="&#117;rl(a)", because it points outside the drawing.',
  ],
  [
    drawing('<path mask="image-set(\'a.png\' 1x)"/>'),
    `must not contain mask="image-set('a.png' 1x)", because it points outside the drawing.`,
  ],
  [drawing('<path style="fill:red"/>'), 'must not contain style attributes. Use attributes such as fill instead.'],
  [
    drawing('<style>@import "a.css";</style>'),
    'must not point outside the drawing in its style: no addresses, no escapes, no at-rules except @media.',
  ],
  [
    drawing('<style>path { fill: url(//evil.example/a) }</style>'),
    'must not point outside the drawing in its style: no addresses, no escapes, no at-rules except @media.',
  ],
  [drawing('<text/>'), 'must not contain <text>.'],
  [drawing('Tom'), 'contains text outside its title. Convert letters to shapes.'],
  [
    `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing('')}`,
    'must contain only elements: no doctype, entity, CDATA section or processing instruction.',
  ],
  [
    `<?xml-stylesheet href="a.css"?>${drawing('')}`,
    'must contain only elements: no doctype, entity, CDATA section or processing instruction.',
  ],
  [
    drawing('<style><![CDATA[path{}]]></style>'),
    'must contain only elements: no doctype, entity, CDATA section or processing instruction.',
  ],
  [drawing('<g>'), 'is not well-formed.'],
  [drawing('<g></path></g>'), 'is not well-formed.'],
  [drawing('<path d="<"/>'), 'is not well-formed.'],
  [drawing('<path d=M1/>'), 'is not well-formed.'],
  [`${drawing('')}${drawing('')}`, 'is not well-formed.'],
  [`${drawing('')}<b`, 'is not well-formed.'],
  ['', 'is not well-formed.'],
  ['not a drawing', 'is not well-formed.'],
  ['<svg viewBox="0 0 9 9"/>', 'must begin with <svg xmlns="http://www.w3.org/2000/svg">.'],
  [drawing('', 'viewBox="0 0 32 16"'), 'must be a square: a viewBox such as 0 0 32 32.'],
  [drawing('', 'width="32" height="32"'), 'must be a square: a viewBox such as 0 0 32 32.'],
  [drawing(`<path d="${'M1 1'.repeat(9_000)}"/>`), 'has more than 32 KB.'],
])('a forbidden SVG file is rejected with the reason: case %#', (text, line) =>
  expect(findSvgFaults(text)).toEqual([line]),
)
