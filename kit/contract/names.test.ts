import { expect, test } from 'vitest'
import { namesOf } from './names.ts'

test.each([
  ['Ana Rewi', 'Ana', 'Rewi'],
  ['Ana Mere Rewi', 'Ana', 'Mere Rewi'],
  ['  Ana\tMere   Rewi ', 'Ana', 'Mere Rewi'],
  ['Ana\u00a0Rewi', 'Ana', 'Rewi'],
  ['Ana', 'Ana', ''],
  ['', '', ''],
])('%j is the first word, then the rest', (full, first_name, last_name) => expect(namesOf(full)).toEqual({ first_name, last_name }))
