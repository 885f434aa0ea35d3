const maxBytes = 32 * 1024

const shapeElements = [
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
]
const neverRenderedElements = ['linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask', 'title', 'desc', 'style']
const allowedElements = new Set([...shapeElements, ...neverRenderedElements])

const tag = /<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g
const attributePattern = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Returns a sentence for each fault in an SVG drawing. The portal serves the drawing to everyone from its own origin.
 * It may therefore contain only shapes and paints: no scripts, no text that needs a font, no external resources.
 */
export function findSvgFaults(text: string): string[] {
  if (Buffer.byteLength(text) > maxBytes) return [`has more than ${maxBytes / 1024} KB.`]
  const source = text.replace(/^\uFEFF?\s*<\?xml [^<>]*\?>/, '').replace(/<!--[^]*?-->/g, '')
  if (/<[!?]/.test(source))
    return ['must contain only elements: no doctype, entity, CDATA section or processing instruction.']
  const faults = new Set<string>()
  const open: string[] = []
  let at = 0
  let roots = 0
  for (const { 0: all, 1: closes, 2: name = '', 3: attributes = '', 4: empty, index } of source.matchAll(tag)) {
    const text = source.slice(at, index)
    if (text.includes('<')) return [malformedMessage]
    checkText(text, open.at(-1), faults)
    at = index + all.length
    if (closes) {
      if (open.pop() !== name) return [malformedMessage]
      continue
    }
    if (open.length === 0) roots++
    checkElement(name, attributes, open.length === 0, faults)
    if (!empty) open.push(name)
  }
  if (open.length > 0 || roots !== 1 || source.slice(at).trim() !== '') return [malformedMessage]
  return [...faults]
}

const malformedMessage = 'is not well-formed.'

function checkText(text: string, parent: string | undefined, faults: Set<string>): void {
  if (parent === 'style') checkStyle(text, faults)
  else if (parent !== 'title' && parent !== 'desc' && text.trim() !== '')
    faults.add('contains text outside its title. Convert letters to shapes.')
}

function checkElement(name: string, attributes: string, isRoot: boolean, faults: Set<string>): void {
  if (!allowedElements.has(name)) faults.add(`must not contain <${name}>.`)
  const values = new Map(
    [...attributes.matchAll(attributePattern)].map(([, key = '', double, single]) => [key, double ?? single ?? '']),
  )
  for (const [key, value] of values) {
    if (key === 'xmlns' || key.startsWith('xmlns:')) continue
    if (/^on/i.test(key)) faults.add(`must not contain ${key}, because it is code.`)
    else if (key === 'style') faults.add('must not contain style attributes. Use attributes such as fill instead.')
    else if (/(?:^|:)href$/i.test(key) ? !/^#[\w-]+$/.test(value) : hasExternalReference(value))
      faults.add(`must not contain ${key}="${value}", because it points outside the drawing.`)
  }
  if (!isRoot) return
  if (name !== 'svg' || values.get('xmlns') !== 'http://www.w3.org/2000/svg')
    faults.add('must begin with <svg xmlns="http://www.w3.org/2000/svg">.')
  const [, , width, height] = (values.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  if (!width || width !== height) faults.add('must be a square: a viewBox such as 0 0 32 32.')
}

/** Whether an attribute refers to anything outside the drawing. Entities and escapes can hide URLs, so they count as well. */
const hasExternalReference = (value: string): boolean =>
  /[&\\]|\/\/|\b(?:javascript|data):|url\((?!#[\w-]+\))|image-set/i.test(value)

function checkStyle(css: string, faults: Set<string>): void {
  if (hasExternalReference(css) || /@(?!media\b)/i.test(css))
    faults.add('must not point outside the drawing in its style: no addresses, no escapes, no at-rules except @media.')
}
