import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import { ids, type PageState } from '../web/state.ts'
import type { PageNotices } from './notices.ts'

export type Linked = { url: string; integrity?: string }

type Links = {
  styles: Linked[]
  /** Sheets that are already part of the inline style. They are linked as disabled, so that no script loads them again. */
  contained?: Linked[]
  scripts: Linked[]
  /** Preloaded in this order, because the scripts will import them. */
  preloads: Linked[]
}

export type DocumentParts = {
  title: string
  html: string
  state: PageState
  bootstrap: Bootstrap
  style: string
  links: Links
  paper: Colours['paper']
  needsScript: string
  notices?: PageNotices | null
}

export type PageText = { head: string; own: string; end: string }

export const htmlOf = ({ head, own, end }: PageText): string => head + own + end

export const withCsrfToken = (page: PageText, token: string): PageText => ({
  ...page,
  own: `${page.own}<script type="application/json" id="${ids.csrfToken}">${dataOf(token)}</script>\n`,
})

/** The whole HTML document. It contains data and a style sheet but no code, because the page's policy forbids inline scripts. */
export function documentOf({ title, html, state, bootstrap, style, links, ...look }: DocumentParts): PageText {
  const { paper, needsScript, notices } = look
  const { inHead, inBody } = writtenLinks(links)
  const head = `<!doctype html>
<html lang="en-${bootstrap.market.code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(bootstrap.brand.description)}">
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
<link rel="icon" href="/static/brand/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/static/brand/icon-180.png">
<link rel="manifest" href="/static/site.webmanifest">
<style>${style}</style>
${inHead}
`
  const own = `<title>${escapeHtml(title)}</title>${notices ? `<style>${notices.style.text}</style>` : ''}
</head>
<body>
<noscript>${needsScript}</noscript>
${notices?.html ?? ''}<div id="${ids.root}">${html}</div>
<script type="application/json" id="${ids.bootstrap}">${dataOfParts(bootstrap)}</script>
<script type="application/json" id="${ids.state}">${dataOf(state)}</script>
`
  return { head, own, end: `${inBody}\n</body>\n</html>\n` }
}

/** JSON that is safe inside a script element: it cannot close the element or end a line of a script. */
export const dataOf = (value: unknown): string => closesNothing(JSON.stringify(value))

const closesNothing = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

function dataOfParts(parts: object): string {
  const known = Object.entries(parts).map(
    ([name, part]) => `${dataOf(name)}:${typeof part === 'object' && part !== null ? dataOfSame(part) : dataOf(part)}`,
  )
  return `{${known.join(',')}}`
}

/** The cached objects must not change. */
function once<T extends object, W>(write: (of: T) => W): (of: T) => W {
  const known = new WeakMap<T, W>()
  return (of) => {
    const written = known.get(of) ?? write(of)
    known.set(of, written)
    return written
  }
}

const dataOfSame = once((part: object) => dataOf(part))

const writtenLinks = ({ styles, contained = [], preloads, scripts }: Links) => ({
  inHead: lines([
    ...styles.map((file) => `<link rel="stylesheet" ${addressed('href', file)}>`),
    ...contained.map(({ url }) => `<link rel="stylesheet" ${addressed('href', { url })} disabled>`),
  ]),
  inBody: lines([
    // The page is readable before its scripts run. Low priority keeps scripts from delaying files that the first paint needs.
    ...preloads.map((file) => `<link rel="modulepreload" ${addressed('href', file)} fetchpriority="low">`),
    ...scripts.map((file) => `<script type="module" ${addressed('src', file)} fetchpriority="low"></script>`),
  ]),
})

const lines = (parts: string[]): string => parts.join('\n')

function addressed(attribute: 'href' | 'src', { url, integrity }: Linked): string {
  const address = `${attribute}="${escapeHtml(url)}"`
  return integrity ? `${address} integrity="${integrity}"` : address
}
