import * as v from 'valibot'
import { type CardType, cardTypes } from '../../contract/card-types.ts'
import { type AccessConfig, readAccessConfig, hasAccessSettings } from './access.ts'
import { readSettingsGroup, splitList, type SettingsReader, readSetting } from './setting.ts'
import { type WebhookLogin, readWebhookLogin } from './webhook-login.ts'

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

/** Production requires every external service. In the demo, each service must be configured fully or not at all. */
type Mode = 'demo' | 'production'

const cardSettingNames = {
  gateway: 'CARD_GATEWAY',
  baseUrl: 'CARD_URL',
  apiKey: 'CARD_API_KEY',
  merchantAccount: 'CARD_MERCHANT_ACCOUNT',
  hmacKey: 'CARD_HMAC_KEY',
  publicKey: 'CARD_PUBLIC_KEY',
}
const networkSettingNames = { baseUrl: 'NETWORK_URL', callbackSecret: 'NETWORK_CALLBACK_SECRET' }
const mailSettingNames = { smtpUrl: 'SMTP_URL', from: 'MAIL_FROM' }
const smsSettingNames = { baseUrl: 'SMS_URL', sender: 'SMS_SENDER' }

export function readCardConfig(read: SettingsReader, mode: Mode): CardConfig | null {
  const card = readSettingsGroup(read, cardSettingNames, mode === 'production')
  const login = readWebhookLogin(read.env, read.fault)
  return card && { ...card, hmacKeyPrevious: read.env['CARD_HMAC_KEY_PREVIOUS'] || null, webhookLogin: login }
}

export const readMailConfig = (read: SettingsReader, mode: Mode): MailConfig | null =>
  readSettingsGroup(read, mailSettingNames, mode === 'production')

export function readNetworkConfig(read: SettingsReader, mode: Mode): NetworkConfig | null {
  const network = readSettingsGroup(
    read,
    networkSettingNames,
    mode === 'production' || hasAccessSettings(read.env, 'NETWORK'),
  )
  return (
    network && { ...network, access: readAccessConfig(read.env, 'NETWORK', { otherwise: 'none', fault: read.fault }) }
  )
}

export function readSmsConfig(read: SettingsReader, mode: Mode): SmsConfig | null {
  const sms = readSettingsGroup(read, smsSettingNames, mode === 'production' || hasAccessSettings(read.env, 'SMS'))
  // SMS defaults to API-key authentication, so that settings without SMS_AUTH keep working.
  return sms && { ...sms, access: readAccessConfig(read.env, 'SMS', { otherwise: 'header', fault: read.fault }) }
}

const cardTypesSchema = v.pipe(
  v.string(),
  v.transform(splitList),
  v.array(
    v.picklist(cardTypes, ({ input }) => `has ${JSON.stringify(input)}; each must be one of ${cardTypes.join(', ')}.`),
  ),
)

export function readAcceptedCardTypes(read: SettingsReader): CardType[] {
  const configuredTypes = readSetting(read, 'CARD_TYPES', cardTypesSchema, null) ?? []
  return cardTypes.filter((type) => configuredTypes.length === 0 || configuredTypes.includes(type))
}
