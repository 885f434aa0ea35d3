import { expect, test } from 'vitest'
import { foreignIn, wordsOn } from './foreign-words.ts'
import { usePortal } from './portal.ts'

const portal = usePortal({ env: () => ({ MARKET: 'AU' }) })

// Of the portal's own pages, mails and texts each is looked through where its picture is taken: `screens/`.
test.each(['/demo/', '/demo/mailbox/'])('no word or number of New Zealand is on %s', async (path) => {
  const page = await portal.open('desktop')
  await page.goto(path)
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  expect(foreignIn(await wordsOn(page))).toEqual([])
})
