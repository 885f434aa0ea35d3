import { expect, test } from 'vitest'
import { removeScripts } from './static-server.ts'

const page = `<!doctype html>
<html><head><title>Log in</title>
<link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/a.css" disabled><style>p{color:red}</style></head>
<body><p>Kia ora</p><script type="application/json" id="state">{"a":1}</script>
<link rel="modulepreload" href="/b.js" integrity="sha384-x--y" fetchpriority="low">
<script type="module" src="/c.js" fetchpriority="low"></script>
</body></html>`

test('a static copy of a page has the same length and content as the original, but does not load or run anything', () => {
  const twin = removeScripts(page)
  expect(twin).toHaveLength(page.length)
  expect(twin).toContain('<p>Kia ora</p><script type="application/json" id="state">{"a":1}</script>')
  expect(twin.replaceAll(/<!--[^>]*?-->/g, '')).not.toMatch(/<link|type="module"/)
})
