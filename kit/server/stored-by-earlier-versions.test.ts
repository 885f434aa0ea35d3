import { describe, expect, test } from 'vitest'
import { findKnownDeviceId } from './known-device.ts'
import { createSecrets } from './secrets.ts'

// Commit 7b3431c8 wrote these values using this secret. A version that cannot read them would lose data stored by customers and staff.
const secrets = createSecrets('a secret of the version before the upgrade')
const sealed = 'H6BL/OoAlzJdexpP5pSF1PyzNBePnSlloPFu1+RIerdPFj1rn/IQbP4dSmqKJw=='
const sealedForYears = {
  puk: 'XIl69Utp/XKau/js5M/Aouv9RDHQQT1UN3bp5eCv77kIbaPl',
  device: 'DWkUrBHIXHM8pGhIAR8vNnAItzI0ti8IoxQC58Lhel1NeeiT',
  voucher: 'M/SHhT6WtTY/7r90yFFYzgdDZKkIkPQGXWhfKtZM0ocdXtdi',
  address: '3IVc/cEPyRG3R2U2KuM5Y6KI3rIrYldHESO1sodPdTy6Rv9E',
} as const
const hashes = {
  session: '0cc085c6782fac91f77390c8dafc7e0ee904bfb9f69c504a18dd903bb913bdf9',
  voucher: '2e3e61cef4d56f7904b1dbbaa611bccaf4ef38b70995ebdd63d80b58ad89f637',
  'reset-pin': '4bd48ce8fe60ab44cdddb3dd59343fad45eb95fdbf43dda86a116d6db8190f0a',
  'caller-pin': 'cb27d39deda2a485af219ad665f884e54ff3a34ef92f95c4fd23eac4ac1e61b5',
}

describe('data stored by an earlier version', () => {
  test('decrypts a message that an earlier version encrypted', () =>
    expect(secrets.open(sealed)).toBe('{"text":"Kia ora"}'))

  test.each(Object.entries(sealedForYears))(
    'decrypts text that an earlier version encrypted with the stored key for %s',
    (purpose, text) => expect(secrets.openKept(purpose as keyof typeof sealedForYears, text)).toBe('12345678'),
  )

  test.each(Object.entries(hashes))('computes the same %s hash as an earlier version', (purpose, hash) =>
    expect(secrets.hash(purpose, 'one text')).toBe(hash),
  )

  test("recognises an earlier version's device cookie until its account's password epoch changes", () => {
    const device = 'R4xyZobWOY1i2p5cRFypNLE-LS1hiprOChdE3NUoj8g.f918a352a286932e9bcbba3c8ed10ee3'
    const account = { id: '0190b0a0-0000-7000-8000-000000000001', passwordEpoch: 2 }
    expect(findKnownDeviceId(secrets, { device }, account)).toBe(device.split('.')[0])
    expect(findKnownDeviceId(secrets, { device }, { ...account, passwordEpoch: 3 })).toBeNull()
  })
})
