import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { password } from '#quality/support/activation-journey.ts'
import { ask, type Told } from './request-peer.ts'
import { waitForUrl } from './process-group.ts'
import { maxStartMs, type Peer, type Site } from './peer.ts'

const signUpMutation = `mutation SignUp($input: RegisterCustomerInput!) {
  registerCustomerAccount(input: $input) { __typename ... on ErrorResult { message } }
}`
const logInMutation = `mutation LogIn($email: String!, $password: String!) {
  login(username: $email, password: $password) { __typename ... on ErrorResult { message } }
}`
const accountQuery = 'query Account { activeCustomer { id title firstName lastName emailAddress phoneNumber } }'

export const vendure: Peer = {
  name: 'Vendure',
  packages: { '@vendure/core': '3.7.3', pg: '8.23.1' },

  async start({ folder, port, begin }) {
    const group = begin([join(import.meta.dirname, 'vendure-process.ts')], {
      VENDURE_DISABLE_TELEMETRY: 'true',
      VENDURE_FOLDER: folder,
      VENDURE_SECRET: randomBytes(16).toString('hex'),
      PORT: String(port),
    })
    const origin = `http://127.0.0.1:${port}`
    await waitForUrl(group, `${origin}/health`, maxStartMs)
    return { pid: group.pid, site: { origin, key: '' } }
  },

  async signUp(site, email) {
    const input = { emailAddress: email, password, firstName: 'Ana', lastName: 'Rewi' }
    const { body } = await query(site, signUpMutation, { input })
    requireType(body.data.registerCustomerAccount, 'Success')
  },

  async read(site, email) {
    const { body, headers } = await query(site, logInMutation, { email, password })
    requireType(body.data.login, 'CurrentUser')
    const authorization = `Bearer ${headers.get('vendure-auth-token')}`
    const asked = JSON.stringify({ query: accountQuery })
    const { activeCustomer } = (await query(site, accountQuery, {}, { authorization })).body.data
    if (activeCustomer?.emailAddress !== email) throw new Error('Vendure does not know who asks')
    return { path: '/shop-api', headers: { 'content-type': 'application/json', authorization }, body: asked }
  },
}

async function query({ origin }: Site, query: string, variables: object, headers?: object): Promise<Told> {
  const told = await ask(`${origin}/shop-api`, { body: { query, variables }, ...(headers && { headers }) })
  // Vendure's GraphQL API reports errors in responses with status 200.
  if (told.body.errors) throw new Error(`Vendure: ${JSON.stringify(told.body.errors).slice(0, 300)}`)
  return told
}

function requireType(answer: { __typename: string; message?: string }, type: string): void {
  if (answer.__typename !== type) throw new Error(`Vendure: ${answer.message ?? answer.__typename}`)
}
