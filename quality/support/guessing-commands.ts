import * as fc from 'fast-check'

/**
 * Indexes of the attacker's browsers: one with an old cookie that belongs to the owner, two that are known to the attacker's account, and a
 * new one.
 */
export const attackerBrowsers = { ownersOldCookie: 0, known: 1, alsoKnown: 2, new: 3 } as const

/**
 * The index of the client address shared by the owner and the attacker. Customers of the same mobile carrier, for example, share an
 * address.
 */
export const sharedAddressIndex = 0
export const addressCount = 12

export type GuessingCommand =
  | { do: 'guess'; browser: number; address: number; times: number }
  | { do: 'guessFromEverywhere'; browser: number }
  | { do: 'enterOwnAccount'; browser: number; address: number; times: number }
  | { do: 'signUp'; address: number; times: number }
  | { do: 'askForReset'; browser: number; address: number; times: number }
  | { do: 'ownerMistypes' }
  | { do: 'ownerChangesPassword' }
  | { do: 'wait'; minutes: number }

const browserIndex = fc.integer({ min: 0, max: 3 })
const addressIndex = fc.integer({ min: 0, max: addressCount - 1 })
const guessingCommand: fc.Arbitrary<GuessingCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('guess'),
      browser: browserIndex,
      address: addressIndex,
      times: fc.integer({ min: 1, max: 14 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('guessFromEverywhere'), browser: browserIndex }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('enterOwnAccount'),
      browser: browserIndex,
      address: addressIndex,
      times: fc.integer({ min: 1, max: 14 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('signUp'), address: addressIndex, times: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('askForReset'),
      browser: browserIndex,
      address: addressIndex,
      times: fc.integer({ min: 1, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ownerMistypes') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ownerChangesPassword') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.constantFrom(1, 5, 14, 15, 16, 59, 61) }) },
)

export const attackSequences = (): fc.Arbitrary<GuessingCommand[]> =>
  fc.array(guessingCommand, { minLength: 3, maxLength: 10 })

/** An attack that uses up every limit just before a time window ends, and again as soon as the next one begins. */
export const attackAroundWindowEnd: GuessingCommand[] = [
  { do: 'guess', browser: attackerBrowsers.new, address: 1, times: 1 },
  { do: 'wait', minutes: 14 },
  { do: 'guessFromEverywhere', browser: attackerBrowsers.new },
  { do: 'enterOwnAccount', browser: attackerBrowsers.known, address: 2, times: 14 },
  { do: 'wait', minutes: 1 },
  { do: 'signUp', address: 3, times: 12 },
  { do: 'guessFromEverywhere', browser: attackerBrowsers.known },
  { do: 'guessFromEverywhere', browser: attackerBrowsers.ownersOldCookie },
  { do: 'wait', minutes: 16 },
  { do: 'guessFromEverywhere', browser: attackerBrowsers.alsoKnown },
]

/** An attack that uses up the limit for emails with reset links. The owner then changes the password, which makes those links invalid. */
export const attackBeforePasswordChange: GuessingCommand[] = [
  { do: 'askForReset', browser: attackerBrowsers.new, address: sharedAddressIndex, times: 5 },
  { do: 'askForReset', browser: attackerBrowsers.known, address: 1, times: 5 },
  { do: 'askForReset', browser: attackerBrowsers.alsoKnown, address: 2, times: 2 },
  { do: 'ownerChangesPassword' },
]
