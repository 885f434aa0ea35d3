import type { Weakness } from './weakness.ts'
import { activationWeaknesses } from './weaknesses/finished-activations.ts'
import { floodWeaknesses } from './weaknesses/floods.ts'
import { knownBrowserWeaknesses } from './weaknesses/known-browsers.ts'
import { moneyAndSecretWeaknesses } from './weaknesses/money-and-secrets.ts'
import { ownerWeaknesses } from './weaknesses/owners.ts'
import { sessionWeaknesses } from './weaknesses/sessions.ts'
import { textWeaknesses } from './weaknesses/texts.ts'

export const weaknesses: readonly Weakness[] = [
  ...ownerWeaknesses,
  ...sessionWeaknesses,
  ...textWeaknesses,
  ...moneyAndSecretWeaknesses,
  ...floodWeaknesses,
  ...activationWeaknesses,
  ...knownBrowserWeaknesses,
]
