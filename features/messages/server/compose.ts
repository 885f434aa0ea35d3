import type { Colours } from '#kit/contract/brand.ts'

/** What a mail says: plain text in every place, escaped here and nowhere else. */
export type MailContent = {
  heading: string
  paragraphs: string[]
  /** Facts in two columns: what was bought, what it cost. */
  rows: [label: string, value: string][]
  button: { text: string; url: string } | null
}

type Sender = { brandName: string; colours: Colours; publicUrl: string }

/** One mail in both forms: text for every reader, and HTML in the brand's look. */
export function composeMail(sender: Sender, mail: MailContent): { text: string; html: string } {
  return { text: textOf(sender, mail), html: htmlOf(sender, mail) }
}

function textOf(sender: Sender, { heading, paragraphs, rows, button }: MailContent): string {
  const parts = [heading, ...paragraphs]
  if (rows.length > 0) parts.push(rows.map(([label, value]) => `${label}: ${value}`).join('\n'))
  if (button) parts.push(`${button.text}:\n${button.url}`)
  return `${[...parts, `${sender.brandName}\n${sender.publicUrl}`].join('\n\n')}\n`
}

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

// Mail readers know neither style sheets nor custom properties: colours and sizes stand where they are used. Few know the
// dark, and those turn a light mail over themselves.
function htmlOf(sender: Sender, { heading, paragraphs, rows, button }: MailContent): string {
  const { brand, 'brand-ink': onBrand, ink, 'ink-2': quiet, line, paper, surface } = sender.colours
  const text = paragraphs
    .map((paragraph) => `<p style="margin:0 0 16px;line-height:1.5">${escape(paragraph)}</p>`)
    .join('')
  const table = rows
    .map(
      ([label, value]) =>
        `<tr><td style="padding:8px 0;color:${quiet.light};border-top:1px solid ${line.light}">${escape(label)}</td>` +
        `<td style="padding:8px 0;text-align:right;font-weight:600;border-top:1px solid ${line.light}">${escape(value)}</td></tr>`,
    )
    .join('')
  const link = button
    ? `<p style="margin:24px 0 8px"><a href="${escape(button.url)}" ` +
      `style="display:inline-block;padding:14px 26px;border-radius:999px;background:${brand.light};color:${onBrand.light};` +
      `text-decoration:none;font-weight:700">${escape(button.text)}</a></p>`
    : ''
  return (
    `<!doctype html><html lang="en-NZ"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escape(heading)}</title></head><body style="margin:0;background:${paper.light};color:${ink.light};${font}">` +
    `<div style="max-width:560px;margin:0 auto;padding:32px 16px">` +
    `<p style="margin:0 0 16px;font-weight:750;font-size:18px">${escape(sender.brandName)}</p>` +
    `<div style="background:${surface.light};border:1px solid ${line.light};border-radius:16px;padding:28px">` +
    `<h1 style="margin:0 0 16px;font-size:26px;line-height:1.15">${escape(heading)}</h1>${text}` +
    `${table && `<table role="presentation" style="width:100%;border-collapse:collapse;margin:8px 0">${table}</table>`}${link}</div>` +
    `<p style="margin:16px 0 0;color:${quiet.light};font-size:13px">${escape(sender.brandName)} · ` +
    `<a href="${escape(sender.publicUrl)}" style="color:${brand.light}">${escape(sender.publicUrl)}</a></p>` +
    `</div></body></html>`
  )
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
