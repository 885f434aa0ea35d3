import { createHash } from 'node:crypto'

/** Returns hexadecimal digits that look random but are the same in every run. */
export const randomHex = (name: string): string => createHash('sha256').update(name).digest('hex')

export const productionSettings = {
  MODE: 'production',
  DATABASE_URL: 'postgres://fantail:secret@db.internal/fantail',
  PROVIDER_DIR: '/etc/fantail/provider',
  PUBLIC_URL: 'https://my.example.nz',
  SECRET_KEY: randomHex('secret'),
  CARD_GATEWAY: 'adyen',
  CARD_URL: 'https://pal-test.example.com',
  CARD_API_KEY: 'api-key',
  CARD_MERCHANT_ACCOUNT: 'FantailNZ',
  CARD_HMAC_KEY: randomHex('hmac'),
  CARD_PUBLIC_KEY: '10001|C0FFEE',
  NETWORK_URL: 'https://network.example.com/api',
  NETWORK_CALLBACK_SECRET: randomHex('callback').slice(0, 32),
  SMTP_URL: 'smtps://user:pass@mail.example.nz',
  MAIL_FROM: 'Fantail Mobile <hello@example.nz>',
  SMS_URL: 'https://sms.example.com',
  SMS_API_KEY: 'sms-key',
  SMS_SENDER: 'Fantail',
}
