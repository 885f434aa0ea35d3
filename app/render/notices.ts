import { escapeHtml } from '#kit/server/escape-html.ts'
import { type NoticeKind, noticeWords } from '#features/notices/notices.contract.ts'
import { type InlineStyle, inlineStyle } from './inline-style.ts'

/** Markup that stands above a page, with a sheet of its own, which the page's policy names beside the page's. */
export type PageNotices = { html: string; style: InlineStyle }

/** In the colours and measures that every page's own sheet brings, in the dark and in forced colours, too. */
const sheet = inlineStyle(
  `#notices{background:var(--warn-soft);border-bottom:1px solid var(--warn-line);color:var(--ink)}` +
    `#notices p{margin:0 auto;max-width:1264px;padding:12px clamp(16px,3vw,24px)}` +
    `#notices p+p{border-top:1px solid var(--warn-line)}` +
    `@media print{#notices{display:none}}`,
)

/**
 * What all customers are told, as plain markup above the page: a region that screen readers list by its name. It needs no script, and
 * none of the page's looks at it; a page without one is not a byte longer.
 */
export function noticesAbove(notices: readonly { kind: NoticeKind }[]): PageNotices | null {
  if (notices.length === 0) return null
  const told = notices
    .map(({ kind }) => noticeWords[kind])
    .map(({ title, text }) => `<p><b>${escapeHtml(title)}</b> ${escapeHtml(text)}</p>`)
  return {
    html: `<section id="notices" aria-label="Service notice">\n${told.join('\n')}\n</section>\n`,
    style: sheet,
  }
}
