import { escapeHtml } from '#kit/server/escape-html.ts'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import type { NoticeKind } from '#features/notices/notices.contract.ts'
import { type InlineStyle, inlineStyle } from './inline-style.ts'

export type PageNotices = { html: string; style: InlineStyle }

const noticeStyleSheet = inlineStyle(
  `#notices{background:var(--warn-soft);border-bottom:1px solid var(--warn-line);color:var(--ink)}` +
    `#notices p{margin:0 auto;max-width:1264px;padding:12px clamp(16px,3vw,24px)}` +
    `#notices p+p{border-top:1px solid var(--warn-line)}` +
    `@media print{#notices{display:none}}`,
)

export function renderNotices(notices: readonly { kind: NoticeKind }[]): PageNotices | null {
  if (notices.length === 0) return null
  const paragraphs = notices
    .map(({ kind }) => noticeTexts[kind])
    .map(({ title, text }) => `<p><b>${escapeHtml(title)}</b> ${escapeHtml(text)}</p>`)
  return {
    html: `<section id="notices" aria-label="Service notice">\n${paragraphs.join('\n')}\n</section>\n`,
    style: noticeStyleSheet,
  }
}
