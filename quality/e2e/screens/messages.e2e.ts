import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeSubscriber, type Subscriber } from '#quality/support/customer.ts'
import { messageSamples } from '#quality/support/message-samples.ts'
import { write, type RenderedMessage } from '#quality/support/render-messages.ts'
import { applyViewport, expectValidPage, quickViewports } from '../inspect-page.ts'
import { usePortal } from '../use-portal.ts'
import { expectLocalWords, marketOptions } from './market.ts'
import { allViewports, getScreenshotPath, screenshotFolder } from './screenshots.ts'
import { saveScreenshot } from './check-screens.ts'

/*
 * These tests render each of Fantail's emails and text messages as a mail reader or a phone would. Emails come only in light colours, which
 * mail readers invert for a dark theme.
 */

const portal = usePortal(marketOptions)
let customer: Subscriber
beforeAll(async () => {
  customer = await makeSubscriber(portal.world(), { card: true, plan: 'plan-30-5gb' })
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const bubbleOf = ({ to, text }: RenderedMessage): string =>
  `<div style="max-width:300px;margin:16px auto;font:16px/1.4 system-ui,sans-serif;color-scheme:light dark;
  background:light-dark(#fff,#000);color:light-dark(#000,#fff);padding:12px">
  <p style="margin:0 0 6px">Text to ${escaped(to)}</p>
  <p style="margin:0 0 6px;padding:10px 14px;border-radius:18px;background:light-dark(#e9e9eb,#2c2c2e);
  overflow-wrap:anywhere">${escaped(text)}</p><p style="margin:0">${text.length} of 160</p></div>`

function sheetOf(written: RenderedMessage[]): string {
  const [first, ...mails] = written.filter(({ channel }) => channel === 'email').map(({ html }) => html)
  const more = mails
    .map((html) => /<body[^>]*>(.*)<\/body>/s.exec(html)?.[1] ?? '')
    .map((body) => body.replaceAll('h1', 'h2'))
  const texts = written.filter(({ channel }) => channel === 'sms').map(bubbleOf)
  const empty = '<!doctype html><html lang="en"><head><title>Text</title></head><body></body></html>'
  return (first ?? empty).replace('</body>', () => `${[...more, ...texts].join('')}</body>`)
}

/** Accessibility rules that apply to pages but not to emails. */
const exempt = ['landmark-one-main', 'region', 'page-has-heading-one']

describe('emails and text messages as customers see them', () => {
  test.each(messageSamples.map((sample) => [sample.name, sample] as const))(
    'the message “%s” passes the layout and accessibility checks',
    async (name, sample) => {
      const written = await write(portal.world(), customer, sample)
      expect(written.length).toBeGreaterThan(0)
      const page = await portal.reopen()
      // Start from a blank document, because the portal's content security policy would forbid an email's inline styles.
      await page.goto('about:blank')
      await page.setContent(sheetOf(written))
      for (const look of screenshotFolder ? allViewports : quickViewports) {
        await applyViewport(page, look)
        if (screenshotFolder)
          await saveScreenshot(page, join(screenshotFolder, getScreenshotPath('messages', name, look)))
        await expectValidPage(page, `messages: ${name}, ${look.width} px wide, ${look.scheme}`, exempt)
      }
      await expectLocalWords(page)
    },
  )
})
