import type { Help, Market } from '#kit/contract/bootstrap.ts'
import type { Colours } from '#kit/contract/brand.ts'
import { buildTelLink } from '#kit/contract/links.ts'
import { insertNonBreakingSpaces } from '#kit/contract/no-break-spaces.ts'
import { escapeHtml } from '#kit/server/escape-html.ts'

/** An email's content as plain text. Only this module escapes the content for HTML. */
export type MailContent = {
  heading: string
  paragraphs: string[]
  rows: [label: string, value: string][]
  button: { text: string; url: string } | null
  isForStaff?: boolean
}

type MailSender = { market: Pick<Market, 'code'>; brandName: string; colours: Colours; help: Help; publicUrl: string }

export function composeMail(sender: MailSender, mail: MailContent): { text: string; html: string } {
  return { text: formatMailAsText(sender, mail), html: formatMailAsHtml(sender, mail) }
}

function formatMailAsText(sender: MailSender, { heading, paragraphs, rows, button, isForStaff }: MailContent): string {
  const parts = [heading, ...paragraphs]
  if (rows.length > 0) parts.push(rows.map(([label, value]) => `${label}: ${value}`).join('\n'))
  if (button) parts.push(`${button.text}:\n${button.url}`)
  const { phone, hours } = sender.help
  const footer = isForStaff
    ? [sender.brandName]
    : [`Need a person? ${phone}, ${hours}`, `${sender.brandName}\n${sender.publicUrl}`]
  return `${[...parts, ...footer].join('\n\n')}\n`
}

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/*
 * Styles are inline, because many mail clients support neither style sheets nor custom properties. There is no dark
 * variant, because the few mail clients with a dark mode convert emails themselves.
 */
function formatMailAsHtml(sender: MailSender, { heading, paragraphs, rows, button, isForStaff }: MailContent): string {
  const { brand, 'brand-ink': onBrand, ink, 'ink-2': quiet, line, paper, surface } = sender.colours
  const text = paragraphs
    .map(
      (paragraph) =>
        '<p style="margin:0 0 16px;line-height:1.5;overflow-wrap:anywhere">' +
        `${linkPortalUrl(insertNonBreakingSpaces(paragraph), sender)}</p>`,
    )
    .join('')
  const cell = `padding:8px 0;border-top:1px solid ${line.light}`
  const table = rows
    .map(
      ([label, value]) =>
        `<tr><td style="${cell};color:${quiet.light}">${escapeHtml(label)}</td>` +
        `<td style="${cell};text-align:right;font-weight:600">${escapeHtml(insertNonBreakingSpaces(value))}</td></tr>`,
    )
    .join('')
  const link = button
    ? `<p style="margin:24px 0 8px"><a href="${escapeHtml(button.url)}" ` +
      `style="display:inline-block;padding:14px 26px;border-radius:999px;background:${brand.light};color:${onBrand.light};` +
      `text-decoration:none;font-weight:700">${escapeHtml(button.text)}</a></p>`
    : ''
  return (
    `<!doctype html><html lang="en-${sender.market.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(heading)}</title></head><body style="margin:0;background:${paper.light};color:${ink.light};${font}">` +
    `<div style="max-width:560px;margin:0 auto;padding:32px 16px">` +
    `<p style="margin:0 0 16px;font-weight:750;font-size:18px">${escapeHtml(sender.brandName)}</p>` +
    `<div style="background:${surface.light};border:1px solid ${line.light};border-radius:16px;padding:28px">` +
    `<h1 style="margin:0 0 16px;font-size:26px;line-height:1.15">${escapeHtml(heading)}</h1>${text}` +
    `${table && `<table role="presentation" style="width:100%;border-collapse:collapse;margin:8px 0">${table}</table>`}${link}</div>` +
    `<p style="margin:16px 0 0;color:${quiet.light};font-size:13px;line-height:1.6">` +
    `${isForStaff ? escapeHtml(sender.brandName) : customerFooter(sender)}</p>` +
    `</div></body></html>`
  )
}

const customerFooter = ({ colours: { brand }, ...sender }: MailSender): string =>
  `Need a person? ` +
  `<a href="${buildTelLink(sender.help.phone)}" style="color:${brand.light};white-space:nowrap">${escapeHtml(sender.help.phone)}</a>` +
  `, ${escapeHtml(insertNonBreakingSpaces(sender.help.hours))}<br>${escapeHtml(sender.brandName)} · ` +
  `<a href="${escapeHtml(sender.publicUrl)}" style="color:${brand.light}">${escapeHtml(sender.publicUrl)}</a>`

function linkPortalUrl(text: string, { publicUrl, colours }: MailSender): string {
  const at = text.indexOf(`${publicUrl}/`)
  if (at < 0) return escapeHtml(text)
  const url = /^[\w:/.?=&%-]*[\w/]/.exec(text.slice(at))?.[0] ?? ''
  const link = `<a href="${escapeHtml(url)}" style="color:${colours.brand.light}">${escapeHtml(url)}</a>`
  return `${escapeHtml(text.slice(0, at))}${link}${escapeHtml(text.slice(at + url.length))}`
}
