import { withUser, type Weakness } from '../weakness.ts'

export const sessionWeaknesses: Weakness[] = [
  {
    name: 'no call asks for a session',
    foundBy: 'no session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: (cast) => ({ answer: ({ raw, real }) => real(raw.visit.user ? raw : withUser(raw, cast.mallory.id)) }),
  },
  {
    name: 'no call asks for a confirmed address',
    foundBy: 'unverified account',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ answer: ({ raw, real }) => real(withUser(raw, raw.visit.user?.id)) }),
  },
  {
    name: 'a session lives on after its end',
    foundBy: 'ended session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ endless: true }),
  },
  {
    name: 'no CSRF token is asked for',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({ csrfFault: () => null }),
  },
  {
    name: 'any session’s CSRF token will do',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({
      csrfFault: ({ headers }, real) => (String(headers['x-csrftoken'] ?? '').length > 20 ? null : real()),
    }),
  },
  {
    name: 'the origin is not looked at',
    foundBy: 'foreign origin',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({
      csrfFault(request, real) {
        delete request.headers.origin
        return real()
      },
    }),
  },
  {
    name: 'a GET changes something',
    foundBy: 'wrong verb',
    attack: { call: 'POST /api/account/update_details/', kinds: ['byTheWrongVerb'] },
    plant: () => ({}),
  },
  {
    name: 'nothing is limited: SIM serials',
    foundBy: 'guesses',
    attack: { call: 'POST /api/activate/sim/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
  {
    name: 'nothing is limited: passwords',
    foundBy: 'guesses',
    attack: { call: 'POST /api/account/login/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
]
