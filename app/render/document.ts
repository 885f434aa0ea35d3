import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'
import { elementIds, type PageState } from '../web/page-state.ts'
import type { PageNotices } from './notices.ts'

export type LinkedFile = { url: string; integrity?: string }

type Links = {
  styles: LinkedFile[]
  /** Style sheets whose content is already in the inline style. They are linked as disabled, so that no script loads them again. */
  contained?: LinkedFile[]
  scripts: LinkedFile[]
  /** Files that the scripts will import, preloaded in this order. */
  preloads: LinkedFile[]
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

export type HtmlSections = { head: string; own: string; end: string }

export const joinHtml = ({ head, own, end }: HtmlSections): string => head + own + end

export const withCsrfToken = (page: HtmlSections, token: string): HtmlSections => ({
  ...page,
  own: `${page.own}<script type="application/json" id="${elementIds.csrfToken}">${toSafeJson(token)}</script>\n`,
})

/**
 * Renders a whole HTML document. It contains data and styles but no scripts, because the Content-Security-Policy
 * forbids inline scripts.
 */
export function renderDocument({ title, html, state, bootstrap, style, links, ...look }: DocumentParts): HtmlSections {
  const { paper, needsScript, notices } = look
  const { inHead, inBody } = renderLinks(links)
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
${notices?.html ?? ''}<div id="${elementIds.root}">${html}</div>
<script type="application/json" id="${elementIds.bootstrap}">${partsToSafeJson(bootstrap)}</script>
<script type="application/json" id="${elementIds.state}">${toSafeJson(state)}</script>
`
  return { head, own, end: `${inBody}\n</body>\n</html>\n` }
}

/** Encodes JSON for a script element, so that the data can neither close the element nor break a line of the script. */
export const toSafeJson = (value: unknown): string => escapeForScript(JSON.stringify(value))

const escapeForScript = (json: string): string =>
  json.replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

function partsToSafeJson(parts: object): string {
  const known = Object.entries(parts).map(
    ([name, part]) =>
      `${toSafeJson(name)}:${typeof part === 'object' && part !== null ? toCachedJson(part) : toSafeJson(part)}`,
  )
  return `{${known.join(',')}}`
}

/** Caches the result of `write` for each object. The caller must not change an object once it has been passed in. */
function cachePerObject<T extends object, W>(write: (of: T) => W): (of: T) => W {
  const known = new WeakMap<T, W>()
  return (of) => {
    const result = known.get(of) ?? write(of)
    known.set(of, result)
    return result
  }
}

const toCachedJson = cachePerObject((part: object) => toSafeJson(part))

const renderLinks = ({ styles, contained = [], preloads, scripts }: Links) => ({
  inHead: joinLines([
    ...styles.map((file) => `<link rel="stylesheet" ${linkAttributes('href', file)}>`),
    ...contained.map(({ url }) => `<link rel="stylesheet" ${linkAttributes('href', { url })} disabled>`),
  ]),
  inBody: joinLines([
    // Scripts load with low priority: the page is readable before they run, and they must not delay files that the first paint needs.
    ...preloads.map((file) => `<link rel="modulepreload" ${linkAttributes('href', file)} fetchpriority="low">`),
    ...scripts.map((file) => `<script type="module" ${linkAttributes('src', file)} fetchpriority="low"></script>`),
  ]),
})

const joinLines = (parts: string[]): string => parts.join('\n')

function linkAttributes(attribute: 'href' | 'src', { url, integrity }: LinkedFile): string {
  const urlAttribute = `${attribute}="${escapeHtml(url)}"`
  return integrity ? `${urlAttribute} integrity="${integrity}"` : urlAttribute
}
