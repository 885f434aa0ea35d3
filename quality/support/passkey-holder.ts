import { insertPasskey } from '#desk/features/staff/server/passkeys.store.ts'
import { newStaffVisitor } from './desk-visitor.ts'
import { newPasskey, type Passkey } from './passkey.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export type PasskeyHolder = Visitor & {
  passkey: Passkey
  confirm(act: string): Promise<object>
}

/**
 * Creates a passkey for a member of the demo's staff and uses it to sign them in. The passkey is old enough to approve actions that need
 * two people.
 */
export async function newPasskeyHolder({ db, deskUrl }: World, email: string): Promise<PasskeyHolder> {
  const origin = deskUrl ?? ''
  const passkey = newPasskey('localhost')
  const { id: staffId } = await db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const { id: credentialId, publicKey } = passkey
  const kept = { staffId, credentialId, publicKey, counter: 0, transports: [], name: 'Laptop', countsAtOnce: true }
  await db.transaction().execute((trx) => insertPasskey(trx, kept))
  const visitor = await newStaffVisitor(origin, null)
  const answerChallenge = async (path: string, body: object): Promise<object> => {
    const { options } = (await visitor.post(path, body)).body
    return passkey.show({ origin, challenge: options.challenge })
  }
  const signInResponse = await visitor.post('/api/desk/sign-in/', {
    answer: await answerChallenge('/api/desk/sign-in/begin/', {}),
  })
  if (signInResponse.status !== 200) throw new Error(`the passkey was answered ${JSON.stringify(signInResponse.body)}`)
  return { ...visitor, passkey, confirm: (act) => answerChallenge('/api/desk/confirm/', { act }) }
}
