import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { allViewports, deskViewports, getScreenshotPath } from './screenshots.ts'

export type Shown = { area: string; name: string; faults: readonly string[] }

export function renderScreenIndex(folder: string, screens: readonly Shown[]): string {
  const areas = Object.entries(Object.groupBy(screens, ({ area }) => area))
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem; background: #999; color: #000 }
nav { position: sticky; top: 0; background: #999; padding: .5rem 0 }
a { color: #000; margin-right: 1rem }
div { display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto; padding-bottom: 1rem }
figure { margin: 0; flex: none }
img { display: block; width: 20rem; border: 1px solid #444 }
.w768 img { width: 30rem } .w1280 img { width: 50rem }
pre { background: #fdd; padding: .5rem; white-space: pre-wrap }
</style>
<h1>Screens</h1>
<nav>${areas.map(([area]) => `<a href="#${area}">${area}</a>`).join('')}</nav>
${areas.map(([area, own = []]) => `<h2 id="${area}">${area}</h2>\n${own.map((screen) => rowOf(folder, screen)).join('\n')}`).join('\n')}
</html>
`
}

function rowOf(folder: string, { area, name, faults }: Shown): string {
  const screenshotSets = [
    ...new Map([...allViewports, ...deskViewports].map((look) => [`${look.width} ${look.scheme}`, look])).values(),
  ]
    .map((look) => ({ ...look, path: getScreenshotPath(area, name, look) }))
    .filter(({ path }) => existsSync(join(folder, path)))
    .map(
      ({ width, scheme, path }) =>
        `<figure class="w${width}"><figcaption>${width} ${scheme}</figcaption>` +
        `<a href="${path}"><img loading="lazy" src="${path}" alt=""></a></figure>`,
    )
  const faultList = faults.map((fault) => `<pre>${escapeHtml(fault)}</pre>`).join('')
  return `<h3>${escapeHtml(name)}</h3>${faultList}<div>${screenshotSets.join('')}</div>`
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
