import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toPortalPath } from './portal-path.ts'

test.each([
  ['/', '/'],
  ['/services/a-1/?tab=calls#week', '/services/a-1/?tab=calls#week'],
  ['/a b/ā/', '/a%20b/%C4%81/'],
  ['/../login/', '/login/'],
])('accepts the path %s on this site and returns it as %s', (target, path) => expect(toPortalPath(target)).toBe(path))

test.each([
  'https://evil.example/',
  '//evil.example/',
  '//evil.example/account/',
  '/\\evil.example/account/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/.//evil.example/',
  '\n//evil.example',
  'javascript:alert(1)',
  'here',
  '',
])('replaces %j, which is not a path on this site, with the start page', (target) =>
  expect(toPortalPath(target)).toBe('/'),
)

test('whatever its input, toPortalPath never sends a browser to another site', () => {
  const pieces = fc.constantFrom('/', '//', '\\', '.', '..', '\t', '\n', '@', ':', '?', '#', 'evil.example', '%2f', ' ')
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 8 }), (parts) => {
      const path = toPortalPath(`/${parts.join('')}`)
      expect(new URL(path, 'https://portal.example').origin).toBe('https://portal.example')
      expect(toPortalPath(path)).toBe(path)
    }),
  )
})
