import { addUserToRequest, type Weakness } from '../weakness.ts'

export const sessionWeaknesses: Weakness[] = [
  {
    name: 'no endpoint requires a login',
    foundBy: 'no session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: (cast) => ({
      answer: ({ raw, real }) => real(raw.visit.user ? raw : addUserToRequest(raw, cast.mallory.id)),
    }),
  },
  {
    name: 'no endpoint requires a confirmed email address',
    foundBy: 'unverified account',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ answer: ({ raw, real }) => real(addUserToRequest(raw, raw.visit.user?.id)) }),
  },
  {
    name: 'a session stays valid after it has ended',
    foundBy: 'ended session',
    attack: { call: 'GET /api/services/', kinds: ['byTheWrongOnes'] },
    plant: () => ({ endless: true }),
  },
  {
    name: 'no endpoint requires a CSRF token',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({ csrfFault: () => null }),
  },
  {
    name: 'another session’s CSRF token is accepted',
    foundBy: 'CSRF token',
    attack: { call: 'POST /api/account/update_details/', kinds: ['fromAnotherSite'] },
    plant: () => ({
      csrfFault: ({ headers }, real) => (String(headers['x-csrftoken'] ?? '').length > 20 ? null : real()),
    }),
  },
  {
    name: 'the Origin header is not checked',
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
    name: 'a GET request changes data',
    foundBy: 'wrong verb',
    attack: { call: 'POST /api/account/update_details/', kinds: ['byTheWrongVerb'] },
    plant: () => ({}),
  },
  {
    name: 'SIM serial numbers can be guessed without limit',
    foundBy: 'guesses',
    attack: { call: 'POST /api/activate/sim/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
  {
    name: 'passwords can be guessed without limit',
    foundBy: 'guesses',
    attack: { call: 'POST /api/account/login/', kinds: ['withGuesses'] },
    plant: () => ({ unlimited: true }),
  },
]
