import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { hashToken, generateToken } from '#kit/server/secrets.ts'
import { type findPasskey, insertChallenge, deleteValidChallenge } from './passkeys.store.ts'
import type { StaffDeps } from './staff.deps.ts'

/**
 * The WebAuthn library has three hundred files, which would slow down the server's startup. It is therefore loaded at the first sign-in.
 */
const loadWebAuthnLibrary = () => import('@simplewebauthn/server')

type ChallengeContext = { session: string; invitationId: string | null }

/** Returns options for signing in with any of this desk's passkeys. They do not name a person, because the passkey identifies its owner. */
export async function createSignInChallenge(deps: StaffDeps, session: string): Promise<Record<string, unknown>> {
  const challenge = await createChallenge(deps, { session, invitationId: null })
  const { generateAuthenticationOptions } = await loadWebAuthnLibrary()
  return {
    ...(await generateAuthenticationOptions({ rpID: getDeskHost(deps), challenge, userVerification: 'required' })),
  }
}

export async function createRegistrationChallenge(
  deps: StaffDeps,
  context: ChallengeContext,
  person: { staff_id: string; name: string; email: string },
): Promise<Record<string, unknown>> {
  const challenge = await createChallenge(deps, context)
  const { generateRegistrationOptions } = await loadWebAuthnLibrary()
  const options = await generateRegistrationOptions({
    rpName: `${deps.brandName} desk`,
    rpID: getDeskHost(deps),
    userName: person.email,
    userDisplayName: person.name,
    userID: new TextEncoder().encode(person.staff_id),
    challenge,
    attestationType: 'none',
    // COSE identifiers for ES256, EdDSA and RS256. Every current authenticator supports at least one of these.
    supportedAlgorithmIDs: [-7, -8, -257],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ...options }
}

/**
 * Verifies a sign-in. Returns `null` unless the response answers one of this session's valid challenges and is signed
 * by the passkey that it names.
 */
export async function checkSignIn(
  deps: StaffDeps,
  session: string,
  answer: unknown,
  passkey: NonNullable<Awaited<ReturnType<typeof findPasskey>>> & { credential_id: string },
): Promise<{ counter: number } | null> {
  const expectedChallenge = await consumeChallenge(deps, { session, invitationId: null }, answer)
  if (expectedChallenge === null) return null
  const { verifyAuthenticationResponse } = await loadWebAuthnLibrary()
  const verification = await verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: deps.deskUrl,
    expectedRPID: getDeskHost(deps),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id,
      publicKey: Buffer.from(passkey.public_key, 'base64url'),
      counter: Number(passkey.counter),
    },
  }).catch(() => null)
  return verification?.verified ? { counter: verification.authenticationInfo.newCounter } : null
}

/** Verifies a new passkey. Returns `null` unless the response answers one of this session's valid challenges and creates a passkey. */
export async function checkNewPasskey(deps: StaffDeps, context: ChallengeContext, answer: unknown) {
  const expectedChallenge = await consumeChallenge(deps, context, answer)
  if (expectedChallenge === null) return null
  const { verifyRegistrationResponse } = await loadWebAuthnLibrary()
  const verified = await verifyRegistrationResponse({
    response: answer as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: deps.deskUrl,
    expectedRPID: getDeskHost(deps),
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return null
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: [...transports],
  }
}

const getDeskHost = ({ deskUrl }: StaffDeps): string => new URL(deskUrl).hostname

async function createChallenge(
  { db }: StaffDeps,
  { session, invitationId }: ChallengeContext,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = generateToken()
  await insertChallenge(db, { challengeHash: hashToken(challenge), sessionHash: hashToken(session), invitationId })
  return new Uint8Array(Buffer.from(challenge, 'base64url'))
}

/**
 * Returns the challenge that was answered; `null` if it is not one of this session's valid challenges. The challenge is
 * used up even if a later check fails.
 */
async function consumeChallenge(
  { db }: StaffDeps,
  { session, invitationId }: ChallengeContext,
  answer: unknown,
): Promise<string | null> {
  const challenge = parseChallenge(answer)
  const isValid =
    challenge !== null &&
    (await deleteValidChallenge(db, {
      challengeHash: hashToken(challenge),
      sessionHash: hashToken(session),
      invitationId,
    }))
  return isValid ? challenge : null
}

function parseChallenge(answer: unknown): string | null {
  try {
    const { clientDataJSON } = (answer as { response: { clientDataJSON: string } }).response
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof challenge === 'string' && challenge.length <= 64 ? challenge : null
  } catch {
    return null
  }
}
