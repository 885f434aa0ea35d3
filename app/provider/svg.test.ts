import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { svgFaults } from './svg.ts'

const drawing = (inside: string, attributes = 'viewBox="0 0 32 32"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`

test.each(['fantail/mark', 'fantail/icon', 'tui/mark', 'tui/icon'])('%s.svg is an acceptable SVG file', (name) => {
  expect(svgFaults(readFileSync(`demo/providers/${name}.svg`, 'utf8'))).toEqual([])
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
])('SVG file number %# is accepted', (text) => expect(svgFaults(text)).toEqual([]))

test.each([
  [drawing('<script href="#a"/>'), '<script> may not be in it.'],
  [drawing('<SCRIPT href="#a"/>'), '<SCRIPT> may not be in it.'],
  [drawing('<foreignObject/>'), '<foreignObject> may not be in it.'],
  [drawing('<image href="#a"/>'), '<image> may not be in it.'],
  [drawing('<a href="#a"/>'), '<a> may not be in it.'],
  [drawing('<animate attributeName="href"/>'), '<animate> may not be in it.'],
  [drawing('<svg:script/>'), '<svg:script> may not be in it.'],
  [drawing('<path onclick="alert(1)"/>'), 'onclick may not be in it: it holds code.'],
  [drawing('', 'viewBox="0 0 32 32" OnLoad="alert(1)"'), 'OnLoad may not be in it: it holds code.'],
  [
    drawing('<use href="https://evil.example/#a"/>'),
    'href="https://evil.example/#a" may not be in it: it leads out of the drawing.',
  ],
  [drawing('<use xlink:href="mark.svg#a"/>'), 'xlink:href="mark.svg#a" may not be in it: it leads out of the drawing.'],
  [
    drawing('<use href="javascript:alert(1)"/>'),
    'href="javascript:alert(1)" may not be in it: it leads out of the drawing.',
  ],
  [
    drawing('<path fill="url(https://evil.example/a)"/>'),
    'fill="url(https://evil.example/a)" may not be in it: it leads out of the drawing.',
  ],
  [drawing('<path fill="u\\72l(a)"/>'), 'fill="u\\72l(a)" may not be in it: it leads out of the drawing.'],
  [drawing('<path fill="&#117;rl(a)"/>'), 'fill="&#117;rl(a)" may not be in it: it leads out of the drawing.'],
  [
    drawing('<path mask="image-set(\'a.png\' 1x)"/>'),
    `mask="image-set('a.png' 1x)" may not be in it: it leads out of the drawing.`,
  ],
  [drawing('<path style="fill:red"/>'), 'style may not be in it: shapes have attributes such as fill for that.'],
  [
    drawing('<style>@import "a.css";</style>'),
    'its style may not lead out of the drawing: no address, no escape, no rule but @media.',
  ],
  [
    drawing('<style>path { fill: url(//evil.example/a) }</style>'),
    'its style may not lead out of the drawing: no address, no escape, no rule but @media.',
  ],
  [drawing('<text/>'), '<text> may not be in it.'],
  [drawing('Tom'), 'holds text outside of its title: letters have to be drawn.'],
  [
    `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing('')}`,
    'holds more than elements: no doctype, entity, CDATA or instruction may be in it.',
  ],
  [
    `<?xml-stylesheet href="a.css"?>${drawing('')}`,
    'holds more than elements: no doctype, entity, CDATA or instruction may be in it.',
  ],
  [
    drawing('<style><![CDATA[path{}]]></style>'),
    'holds more than elements: no doctype, entity, CDATA or instruction may be in it.',
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
])('a forbidden SVG file is rejected with the reason: case %#', (text, line) => expect(svgFaults(text)).toEqual([line]))
