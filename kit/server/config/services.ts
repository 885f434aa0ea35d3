import * as v from 'valibot'
import { type CardType, cardTypes } from '../../contract/card-types.ts'
import { type AccessConfig, readAccess, saysAccess } from './access.ts'
import { group, list, type Reading, readSetting } from './setting.ts'
import { type WebhookLogin, webhookLogin } from './webhook-login.ts'

export type CardConfig = {
  gateway: string
  baseUrl: string
  apiKey: string
  merchantAccount: string
  hmacKey: string
  hmacKeyPrevious?: string | null
  webhookLogin?: WebhookLogin | null
  publicKey: string
}
export type MailConfig = { smtpUrl: string; from: string }
export type NetworkConfig = { baseUrl: string; callbackSecret: string; access: AccessConfig }
export type SmsConfig = { baseUrl: string; sender: string; access: AccessConfig }

/** Production requires every service. In the demo a service is configured completely or not at all. */
type Mode = 'demo' | 'production'

const cardNames = {
  gateway: 'CARD_GATEWAY',
  baseUrl: 'CARD_URL',
  apiKey: 'CARD_API_KEY',
  merchantAccount: 'CARD_MERCHANT_ACCOUNT',
  hmacKey: 'CARD_HMAC_KEY',
  publicKey: 'CARD_PUBLIC_KEY',
}
const networkNames = { baseUrl: 'NETWORK_URL', callbackSecret: 'NETWORK_CALLBACK_SECRET' }
const mailNames = { smtpUrl: 'SMTP_URL', from: 'MAIL_FROM' }
const smsNames = { baseUrl: 'SMS_URL', sender: 'SMS_SENDER' }

export function cardConfig(read: Reading, mode: Mode): CardConfig | null {
  const card = group(read, cardNames, mode === 'production')
  const login = webhookLogin(read.env, read.fault)
  return card && { ...card, hmacKeyPrevious: read.env['CARD_HMAC_KEY_PREVIOUS'] || null, webhookLogin: login }
}

export const mailConfig = (read: Reading, mode: Mode): MailConfig | null =>
  group(read, mailNames, mode === 'production')

export function networkConfig(read: Reading, mode: Mode): NetworkConfig | null {
  const network = group(read, networkNames, mode === 'production' || saysAccess(read.env, 'NETWORK'))
  return network && { ...network, access: readAccess(read.env, 'NETWORK', { otherwise: 'none', fault: read.fault }) }
}

export function smsConfig(read: Reading, mode: Mode): SmsConfig | null {
  const sms = group(read, smsNames, mode === 'production' || saysAccess(read.env, 'SMS'))
  // The default is an API key, so that settings without SMS_AUTH keep working.
  return sms && { ...sms, access: readAccess(read.env, 'SMS', { otherwise: 'header', fault: read.fault }) }
}

const cardTypesSchema = v.pipe(
  v.string(),
  v.transform(list),
  v.array(
    v.picklist(cardTypes, ({ input }) => `has ${JSON.stringify(input)}; each must be one of ${cardTypes.join(', ')}.`),
  ),
)

export function cardTypesTaken(read: Reading): CardType[] {
  const named = readSetting(read, 'CARD_TYPES', cardTypesSchema, null) ?? []
  return cardTypes.filter((type) => named.length === 0 || named.includes(type))
}
