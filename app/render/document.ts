import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import { ids, type PageState } from '../web/state.ts'
import type { PageNotices } from './notices.ts'

/** A file that the document names, with the hash the browser holds it to (absent in development). */
export type Linked = { url: string; integrity?: string }

type Links = {
  styles: Linked[]
  /** Sheets that are part of the document's own: named, so that no script fetches them, and switched off. */
  contained?: Linked[]
  /** Run, in this order. */
  scripts: Linked[]
  /** Fetched early, in this order, because the scripts will import them. */
  preloads: Linked[]
}

export type DocumentParts = {
  title: string
  /** Markup of the rendered page. */
  html: string
  state: PageState
  bootstrap: Bootstrap
  /** The sheet inside it, so that its first paint waits for no other file. */
  style: string
  links: Links
  /** The brand's colour around the page. */
  paper: Colours['paper']
  /** What a visitor reads whose browser runs no script. */
  needsScript: string
  /** What stands above the page, outside of what a script takes over. */
  notices?: PageNotices | null
}

/** A whole document: between its head and its end stands what is this page's own, to which more can be added. */
export type PageText = { head: string; own: string; end: string }

export const htmlOf = ({ head, own, end }: PageText): string => head + own + end

/** Adds the CSRF token of the visitor's session, which the page's scripts send with their calls. */
export const withCsrfToken = (page: PageText, token: string): PageText => ({
  ...page,
  own: `${page.own}<script type="application/json" id="${ids.csrfToken}">${dataOf(token)}</script>\n`,
})

/** The whole HTML document. It holds data and a style sheet, but no code: the page's policy lets no inline script run. */
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

/** JSON that can stand inside a script element: nothing in it closes the element or ends a line of a script. */
export const dataOf = (value: unknown): string => closesNothing(JSON.stringify(value))

const closesNothing = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Of parts that are the same objects for every visitor, and are written once. */
function dataOfParts(parts: object): string {
  const known = Object.entries(parts).map(
    ([name, part]) => `${dataOf(name)}:${typeof part === 'object' && part !== null ? dataOfSame(part) : dataOf(part)}`,
  )
  return `{${known.join(',')}}`
}

/** What is done with an object that never changes, done once. */
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
    // The page can be read before it can be used: what they ask for shares the line with nothing that is painted first.
    ...preloads.map((file) => `<link rel="modulepreload" ${addressed('href', file)} fetchpriority="low">`),
    ...scripts.map((file) => `<script type="module" ${addressed('src', file)} fetchpriority="low"></script>`),
  ]),
})

const lines = (parts: string[]): string => parts.join('\n')

function addressed(attribute: 'href' | 'src', { url, integrity }: Linked): string {
  const address = `${attribute}="${escapeHtml(url)}"`
  return integrity ? `${address} integrity="${integrity}"` : address
}
