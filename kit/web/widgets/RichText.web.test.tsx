import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { measureCpuMs } from '#quality/support/processor-time.ts'
import { RichText } from './RichText.tsx'

function shown(text: string): HTMLElement {
  return render(<RichText text={text} />).container
}

test('RichText shows bold text and links', () => {
  const text = shown(
    '**All prices** include GST. See the [terms](/demo/#terms) or [call us](tel:0800326824), **today**.',
  )
  expect(text.textContent).toBe('All prices include GST. See the terms or call us, today.')
  expect([...text.querySelectorAll('strong')].map((each) => each.textContent)).toEqual(['All prices', 'today'])
  expect(screen.getByRole('link', { name: 'terms' }).getAttribute('href')).toBe('/demo/#terms')
  expect(screen.getByRole('link', { name: 'call us' })).toMatchObject({ target: '' })
})

test('a link to another site opens in a new tab and says so', () => {
  shown('**Read [the terms](https://fantail.example/terms) first**')
  expect(screen.getByRole('link', { name: 'the terms (opens in a new tab)' })).toMatchObject({
    target: '_blank',
    rel: 'noopener',
    href: 'https://fantail.example/terms',
  })
  expect(screen.getByRole('link').closest('strong')?.textContent).toContain('first')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">terms</a>',
  '&lt;b&gt;',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert`1`)',
  '[x](data:text/html,hello)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](http://evil.example)',
  '[x]( https://evil.example )',
  '[x](https://evil.example" onclick="alert`1`)',
  '[](/terms)',
  '[x]()',
  '[x](/terms',
  '[x]/terms)',
  '**',
  '** **unbalanced',
  '***',
  '****',
  'a * b ** c',
  '',
])('RichText shows %j unchanged, as plain text', (text) => {
  const shownAs = shown(text)
  expect(shownAs.textContent).toBe(text)
  expect(shownAs.querySelector('*')).toBeNull()
})

test('RichText shows markup inside bold text and links as plain text', () => {
  const text = shown('**<img src=x onerror=alert`1`>** [<b>terms</b>](/terms)')
  expect(text.textContent).toBe('<img src=x onerror=alert`1`> <b>terms</b>')
  expect([...text.querySelectorAll('*')].map(({ tagName }) => tagName)).toEqual(['STRONG', 'A'])
  expect([...text.querySelectorAll('a')].flatMap((link) => link.getAttributeNames())).toEqual(['href'])
})

test('RichText needs less than two seconds of processor time even for text crafted to slow it down', async () => {
  const texts = [
    '**a'.repeat(999),
    '[a]('.repeat(20_000),
    '['.repeat(60_000),
    '*'.repeat(60_000),
    `[a](${'b'.repeat(60_000)}`,
  ]
  expect(await measureCpuMs(() => texts.forEach(shown), { tries: 1 })).toBeLessThan(2_000)
})
