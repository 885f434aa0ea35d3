import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownEmailDomains, mistypedEndings, suggestedEmailDomains } from './known-email-domains.ts'
import { suggestEmail } from './suggest-email.ts'

const plausibleDomains = `
  example.nz kauri.co.nz kauri.nz kauri.org.nz kauri.school.nz auckland.ac.nz aucklanduni.ac.nz vuw.ac.nz
  otago.ac.nz student.otago.ac.nz police.govt.nz health.govt.nz tpk.govt.nz kauri.iwi.nz unimelb.edu.au
  nsw.gov.au kauri.com.au kauri.id.au google.com apple.com amazon.com kauri.io email.nz mail.co.nz line.com
  love.com life.com max.co.nz aon.com ibm.com amp.co.nz fonterra.com anz.com asb.co.nz bnz.co.nz
  westpac.co.nz kiwibank.co.nz stuff.co.nz nzpost.co.nz xero.com trademe.co.nz airnz.co.nz qantas.com.au
  park.nz xn--kwhai-g9a.nz fastly.com kea.nz stanford.edu un.org europa.eu bund.de gov.uk nhs.net free.fr
  orange.fr libero.it mail.ru hotmail.fr hotmail.de yahoo.fr yahoo.de yahoo.ca live.fr outlook.fr outlook.de
  gmx.at
`
  .trim()
  .split(/\s+/)

describe('suggestions for mistyped domains', () => {
  test.each([
    ['gmial.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.cmo', 'gmail.com'],
    ['gmail.om', 'gmail.com'],
    ['gmail.co.nz', 'gmail.com'],
    ['gmail.com.au', 'gmail.com'],
    ['GMIAL.COM', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmai.com', 'hotmail.com'],
    ['homtail.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['outlook.co', 'outlook.com'],
    ['yaho.com', 'yahoo.com'],
    ['yahooo.com', 'yahoo.com'],
    ['iclod.com', 'icloud.com'],
    ['icoud.com', 'icloud.com'],
    ['xtra.co.nx', 'xtra.co.nz'],
    ['xtra.conz', 'xtra.co.nz'],
    ['xtar.co.nz', 'xtra.co.nz'],
    ['xtra.com.nz', 'xtra.co.nz'],
    ['extra.co.nz', 'xtra.co.nz'],
    ['bigpnd.com', 'bigpond.com'],
    ['bigpon.com', 'bigpond.com'],
    ['bigpond.con', 'bigpond.com'],
    ['bigpond.net.a', 'bigpond.net.au'],
    ['outlook.co.nx', 'outlook.co.nz'],
    ['slingsot.co.nz', 'slingshot.co.nz'],
    ['gmial.con', 'gmail.com'],
    ['kauri.con', 'kauri.com'],
    ['kauri.co.nx', 'kauri.co.nz'],
    ['mail.kauri.vom', 'mail.kauri.com'],
  ])('suggests a known domain instead of %s: %s', (typed, meant) =>
    expect(suggestEmail(`Ana.Rewi@${typed}`)).toBe(`Ana.Rewi@${meant}`),
  )

  test('questions no known domain', () => {
    for (const domain of knownEmailDomains) expect([domain, suggestEmail(`ana@${domain}`)]).toEqual([domain, null])
  })

  test.each(plausibleDomains)('does not question the plausible domain %s', (domain) =>
    expect(suggestEmail(`ana@${domain}`)).toBeNull(),
  )

  test('suggests only an address that is not questioned again', () => {
    const domain = fc.constantFrom(...suggestedEmailDomains)
    const mistyped = fc.tuple(domain, fc.nat(20), fc.constantFrom(...'aeiou.nz')).map(([text, at, letter]) => {
      const place = Math.min(at, text.length)
      return `${text.slice(0, place)}${letter}${text.slice(place)}`
    })
    fc.assert(
      fc.property(mistyped, (text) => {
        const suggestion = suggestEmail(`ana@${text}`)
        expect(suggestion && suggestEmail(suggestion)).toBeNull()
      }),
    )
  })

  test('corrects every ending in the list of mistyped endings', () => {
    for (const [typed, meant] of mistypedEndings)
      expect(suggestEmail(`ana@pohutukawa.${typed}`)).toBe(`ana@pohutukawa.${meant}`)
  })
})
