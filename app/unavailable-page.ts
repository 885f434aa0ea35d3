import { buildPagePolicy } from '#kit/server/headers.ts'
import { inlineStyle } from './render/inline-style.ts'

const style = inlineStyle(
  ':root{color-scheme:light dark}' +
    'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.25}',
)

const escapeHtmlText = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

type UnavailableText = { title: string; heading: string; text(brandName: string): string }

const unavailableText: UnavailableText = {
  title: 'Back in a moment',
  heading: 'We’ll be back in a moment',
  text: (brandName) =>
    `${brandName} can’t show this page right now. Your plan and service aren’t affected, and nothing you have done is lost.`,
}
const busyText: UnavailableText = {
  title: 'Very busy right now',
  heading: 'We’re very busy right now',
  text: (brandName) =>
    `${brandName} can’t show this page just yet. Your plan and service aren’t affected, and nothing you have done is lost. ` +
    'Please try again in a few seconds.',
}

const renderUnavailablePage = (
  { title, heading, text }: UnavailableText,
  brandName: string,
): { html: string; policy: string } => ({
  policy: buildPagePolicy(style.source),
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${escapeHtmlText(brandName)}</title>
<style>${style.text}</style>
<main>
<h1>${heading}</h1>
<p>${escapeHtmlText(text(brandName))}</p>
<p><a href="">Try again</a></p>
</main>
</html>
`,
})

export const renderUnavailable = (brandName: string) => renderUnavailablePage(unavailableText, brandName)
export const renderBusyPage = (brandName: string) => renderUnavailablePage(busyText, brandName)
