import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { classNameOf } from './class-names.ts'

test('a class is called after its file', () => {
  expect(classNameOf('menu', '/portal/kit/web/chrome/Header.module.css')).toBe('Header_menu')
})

test('no two CSS modules have the same file name, so no two classes have the same name', () => {
  const files = globSync('{app,features,kit}/**/*.module.css').map((file) => basename(file))
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
})
