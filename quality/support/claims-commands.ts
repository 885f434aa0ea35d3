import * as fc from 'fast-check'

export type Person = 'vera' | 'mallory'
export const addresses = {
  shared: 'shared@example.nz',
  veras: 'vera@example.nz',
  mallorys: 'mallory@example.nz',
} as const
export type Address = keyof typeof addresses
export const readersByAddress: Record<Address, Person> = { shared: 'vera', veras: 'vera', mallorys: 'mallory' }
export const passwordsByPerson = {
  vera: ['kereru of vera 1', 'kereru of vera 2'],
  mallory: ['takahe of mallory 1', 'takahe of mallory 2'],
} as const

/** The actions of two people. Each of them has two browsers and two passwords. Numbers are indexes into lists of existing items. */
export type Command =
  | { do: 'activate'; who: Person; browser: number; password: number }
  | { do: 'login'; who: Person; browser: number; address: Address; password: number }
  | { do: 'logout'; who: Person; browser: number }
  | { do: 'press'; who: Person; browser: number; link: number; password: number | null; accountPassword: number | null }
  | { do: 'notMe'; who: Person; browser: number; link: number }
  | { do: 'resend'; who: Person; browser: number }
  | { do: 'askReset'; address: Address }
  | { do: 'reset'; who: Person; browser: number; link: number; password: number }
  | { do: 'changeEmail'; who: Person; browser: number; to: Address }
  | { do: 'time'; hours: number }

const who = fc.constantFrom<Person>('vera', 'mallory')
const browserIndex = fc.integer({ min: 0, max: 1 })
const passwordIndex = fc.integer({ min: 0, max: 1 })
const typed = fc.option(passwordIndex, { freq: 2 })
const addressArbitrary = fc.constantFrom<Address>('shared', 'shared', 'veras', 'mallorys')
const link = fc.nat({ max: 9 })
const says = <T extends Command['do']>(act: T) => ({ do: fc.constant(act) })

const claimCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...says('activate'), who, browser: browserIndex, password: passwordIndex }) },
  {
    weight: 5,
    arbitrary: fc.record({
      ...says('press'),
      who,
      browser: browserIndex,
      link,
      password: typed,
      accountPassword: typed,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...says('login'),
      who,
      browser: browserIndex,
      address: addressArbitrary,
      password: passwordIndex,
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...says('logout'), who, browser: browserIndex }) },
  { weight: 1, arbitrary: fc.record({ ...says('notMe'), who, browser: browserIndex, link }) },
  { weight: 1, arbitrary: fc.record({ ...says('resend'), who, browser: browserIndex }) },
  { weight: 1, arbitrary: fc.record({ ...says('askReset'), address: addressArbitrary }) },
  { weight: 2, arbitrary: fc.record({ ...says('reset'), who, browser: browserIndex, link, password: passwordIndex }) },
  { weight: 2, arbitrary: fc.record({ ...says('changeEmail'), who, browser: browserIndex, to: addressArbitrary }) },
  { weight: 1, arbitrary: fc.record({ ...says('time'), hours: fc.constantFrom(1, 25) }) },
)

export const commandSequences = (): fc.Arbitrary<Command[]> =>
  fc
    .tuple(
      fc.record({ ...says('activate'), who, browser: browserIndex, password: passwordIndex }),
      fc.array(claimCommand, { minLength: 3, maxLength: 11 }),
    )
    .map(([first, rest]) => [first, ...rest])
