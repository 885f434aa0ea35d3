import { describe, expect, test } from 'vitest'
import { verifyPassword } from '#kit/server/password.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { newEmail } from '#quality/support/visitor.ts'
import { useWizardServer } from '#quality/support/wizard-server.ts'

const rig = useWizardServer()

const good = () => ({ full_name: 'Ana Rewi', email: newEmail(), password: 'korimako1', marketing_consent: true })

async function send(changes: object) {
  const { visitor } = await advanceWizardTo(rig(), 'CREATED')
  return visitor.post('/api/activate/signup/', { ...good(), ...changes })
}

const required = 'This field is required.'
const nameMissing = 'Please provide your full name.'
const emailInvalid = 'Please enter a valid email address.'
const personal = 'Your password can’t contain your name or email address.'
const passwordShort = 'Your password must be at least 6 characters.'

test('reports all errors in an empty sign-up form together', async () => {
  const { visitor } = await advanceWizardTo(rig(), 'CREATED')
  const { status, body } = await visitor.post('/api/activate/signup/', {})
  expect({ status, body }).toEqual({
    status: 400,
    body: { full_name: [required, nameMissing], email: [required], password: [required] },
  })
})

test('reports an unacceptable password together with all other errors in the sign-up form', async () => {
  expect((await send({ full_name: '', email: 'ana', password: 'password1' })).body).toEqual({
    full_name: [required, nameMissing],
    email: [emailInvalid],
    password: ['This password is too easy to guess. Please choose another one.'],
  })
  expect((await send({ email: 'ana', password: 'Rewi 1' })).body).toEqual({
    email: [emailInvalid],
    password: [personal],
  })
})

describe('the full name entered at sign-up', () => {
  test.each([
    ['Ana', nameMissing],
    ['Ana ', nameMissing],
    [' Ana', nameMissing],
    ['Ana\r\nBcc: other@example.nz', nameMissing],
    ['Ana\u0000 Rewi', nameMissing],
    ['Ana\u2028Rewi', nameMissing],
    ['Ana\ufeffRewi', nameMissing],
    [`${'A'.repeat(31)} Rewi`, 'Your first name can be up to 30 characters.'],
    [`Ana ${'R'.repeat(151)}`, 'Your last name can be up to 150 characters.'],
  ])('rejects the full name %j', async (full_name, sentence) => {
    const { status, body } = await send({ full_name })
    expect({ status, body }).toEqual({ status: 400, body: { full_name: [sentence] } })
  })

  test.each([
    ['Ana Rewi', 'Ana Rewi'],
    ['  Ana Mere   Rewi ', 'Ana Mere   Rewi'],
    [`${'A'.repeat(30)} ${'R'.repeat(150)}`, `${'A'.repeat(30)} ${'R'.repeat(150)}`],
    ['Ngā Tāngata', 'Ngā Tāngata'],
    ['李 小龙', '李 小龙'],
    ['Ana Rewi\u200e', 'Ana Rewi'],
    ['Ana\u200b Rewi', 'Ana Rewi'],
    ['\u202dAna Re\u2066wi\u202c', 'Ana Rewi'],
    ['Anne\u00adMarie Rewi', 'AnneMarie Rewi'],
    ['Ana\tRewi', 'Ana Rewi'],
    ['Ana \u{1f469}\u200d\u{1f467} Rewi', 'Ana \u{1f469}\u200d\u{1f467} Rewi'],
    ['Nga\u0304io Rewi', 'Ng\u0101io Rewi'],
    [`${'\u{20bb7}'.repeat(30)} Rewi`, `${'\u{20bb7}'.repeat(30)} Rewi`],
    ["O'Brien <b>Bob</b>", "O'Brien <b>Bob</b>"],
  ])('accepts the full name %j', async (full_name, kept) => {
    expect(await send({ full_name })).toMatchObject({
      status: 200,
      body: { state: 'DETAILS_ENTERED', full_name: kept },
    })
  })
})

describe('the email address entered at sign-up', () => {
  test.each([
    ['ana', emailInvalid],
    ['ana@-example', emailInvalid],
    ['jörg@example.nz', emailInvalid],
    ['ana rewi@example.nz', emailInvalid],
    ['@example.nz', emailInvalid],
    ['ana@example.nz\r\nBcc: x@example.nz', emailInvalid],
    ['ana@example.nz, mere@example.nz', emailInvalid],
    [`${'a'.repeat(244)}@example.nz`, emailInvalid],
    [`${'a'.repeat(65)}@example.nz`, emailInvalid],
    ['ana@localhost', emailInvalid],
    ['ana..rewi@example.nz', emailInvalid],
    ['ana@example.123', emailInvalid],
    ['ana@127.0.0.1', emailInvalid],
    ['  ', required],
    [['ana@example.nz'], required],
  ])('rejects the email address %j', async (email, sentence) => {
    const { status, body } = await send({ email })
    expect({ status, body }).toEqual({ status: 400, body: { email: [sentence] } })
  })

  test('stores the email address entered at sign-up in lower case, without surrounding spaces', async () => {
    const email = newEmail()
    expect((await send({ email: ` ${email.toUpperCase()} ` })).body.email).toBe(email)
  })

  test('accepts an email address of 254 characters', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(62)}.${'c'.repeat(61)}.${'d'.repeat(61)}.nz`
    expect(email).toHaveLength(254)
    expect(await send({ email })).toMatchObject({ status: 200, body: { email } })
  })

  test.each(['ana@gmial.com', 'ana@gmail.con', '.ana@example.nz'])(
    'accepts the unlikely email address %s, because only the browser questions it',
    async (email) => {
      expect(await send({ email })).toMatchObject({ status: 200, body: { email } })
    },
  )
})

describe('the password entered at sign-up', () => {
  test.each([
    ['', required],
    [undefined, required],
    [123_456, required],
    ['12345', passwordShort],
    ['kori1', passwordShort],
    ['x'.repeat(201), 'Your password can be up to 200 characters.'],
    ['x'.repeat(10_000), 'Your password can be up to 200 characters.'],
    ['123456', 'Your password must have at least one letter.'],
    ['my rewi 2026', personal],
    ['ANA12345', personal],
    ['password1', 'This password is too easy to guess. Please choose another one.'],
    ['Qwerty123', 'This password is too easy to guess. Please choose another one.'],
  ])('rejects the password %j', async (password, sentence) => {
    const { status, body } = await send({ password })
    expect({ status, body }).toEqual({ status: 400, body: { password: [sentence] } })
  })

  test('rejects a sign-up password that contains the email address', async () => {
    const email = newEmail()
    for (const password of [`${email}1`, `1${email.split('@')[0]?.toUpperCase()}`]) {
      expect(await send({ full_name: 'Mere Kauri', email, password })).toMatchObject({
        status: 400,
        body: { password: [personal] },
      })
    }
  })

  test.each(['k12345', ' spaces count ', 'pāua🐚🐚', 'x'.repeat(200)])(
    'accepts the password %j exactly as typed and stores only its hash',
    async (password) => {
      const email = newEmail()
      const { status, body } = await send({ email, password })
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toContain(JSON.stringify(password).slice(1, -1))
      const row = await rig()
        .db.selectFrom('activations')
        .selectAll()
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      expect(row.password_hash).toMatch(/^\$argon2id\$/)
      expect(await verifyPassword(password, row.password_hash ?? '')).toBe(true)
      expect(JSON.stringify(row)).not.toContain(password)
    },
  )
})

test.each([
  [true, true],
  [false, false],
  [undefined, false],
])('stores the marketing consent %o as %o, because the consent is optional', async (marketing_consent, kept) => {
  const email = newEmail()
  expect((await send({ email, marketing_consent })).status).toBe(200)
  const row = await rig()
    .db.selectFrom('activations')
    .select('marketing_consent')
    .where('email', '=', email)
    .executeTakeFirst()
  expect(row).toEqual({ marketing_consent: kept })
})

test('rejects a marketing consent that is neither true nor false', async () => {
  expect(await send({ marketing_consent: 'maybe' })).toMatchObject({
    status: 400,
    body: { marketing_consent: [expect.any(String)] },
  })
})

test('accepts the same email address in two activations, and creates no account yet', async () => {
  const email = newEmail()
  expect([await send({ email }), await send({ email })]).toMatchObject([
    { status: 200, body: { email } },
    { status: 200, body: { email } },
  ])
  expect(await rig().db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
})
