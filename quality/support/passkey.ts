import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

// Simulates a passkey (WebAuthn Level 2, ES256) without a browser, so that tests can also send data that no browser would send.

type Shown = {
  origin: string
  challenge: string
  isVerified?: boolean
  counter?: number
}

export type Passkey = {
  id: string
  /** The public key in COSE format, as the server stores it. */
  publicKey: string
  register(shown: Shown): object
  show(shown: Shown): object
}

export function newPasskey(host: string): Passkey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const head = ({ isVerified = true, counter = 0 }: Shown, extra: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = 0x01 | (isVerified ? 0x04 : 0) | extra
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.of(flags), count])
  }
  const buildClientData = (type: string, { challenge, origin }: Shown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin }))
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
  })
  return {
    id: id.toString('base64url'),
    publicKey: cose.toString('base64url'),
    register(shown) {
      const made = Buffer.concat([Buffer.alloc(16), Buffer.of(0, id.length), id, cose])
      const authData = Buffer.concat([head(shown, 0x40), made])
      // The attestation object as a CBOR map: fmt is none, attStmt is empty, and authData follows.
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(authData.length),
        authData,
      ])
      return answer({ clientDataJSON: buildClientData('webauthn.create', shown), attestationObject })
    },
    show(shown) {
      const [authenticatorData, clientDataJSON] = [head(shown, 0), buildClientData('webauthn.get', shown)]
      const signedBytes = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()])
      const signature = createSign('sha256').update(signedBytes).sign(privateKey)
      return answer({ clientDataJSON, authenticatorData, signature })
    },
  }
}
