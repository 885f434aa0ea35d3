import type { Weakness } from './weakness.ts'
import { ofFinishedActivations } from './weaknesses/after-activation.ts'
import { ofFloods } from './weaknesses/floods.ts'
import { ofKnownBrowsers } from './weaknesses/known-browsers.ts'
import { ofMoneyAndSecrets } from './weaknesses/money-and-secrets.ts'
import { ofOwners } from './weaknesses/owners.ts'
import { ofSessions } from './weaknesses/sessions.ts'
import { ofTexts } from './weaknesses/texts.ts'

export const weaknesses: readonly Weakness[] = [
  ...ofOwners,
  ...ofSessions,
  ...ofTexts,
  ...ofMoneyAndSecrets,
  ...ofFloods,
  ...ofFinishedActivations,
  ...ofKnownBrowsers,
]
