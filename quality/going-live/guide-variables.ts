export const installationVariables = [
  'FANTAIL_HOST',
  'FANTAIL_URL',
  'FANTAIL_DESK_HOST',
  'FANTAIL_DESK_URL',
  'FANTAIL_SOURCE',
  'FANTAIL_VERSION',
  'FANTAIL_DATABASE',
  'FANTAIL_USER',
  'FANTAIL_HOME',
  'FANTAIL_ETC',
  'FANTAIL_STATE',
  'FANTAIL_BACKUP',
  'FANTAIL_PORTS',
  'PGPORT',
  'STANDBY_CLUSTER',
  'STANDBY_PORT',
  'PRIMARY_CLUSTER',
  'PGVERSION',
  'MARKET',
  'MAIL_FROM',
  'SMS_SENDER',
  'OPERATOR_MAIL',
  'SIM_STOCK_LEVEL',
  'PROVIDER_FOLDER',
  'ADMIN_MAIL',
  'ADMIN_NAME',
  'LEAD_MAIL',
  'LEAD_NAME',
  'SIM_FILE',
  'VOUCHER_FILE',
  'VOUCHER_PLAN',
] as const

export const providerVariables = [
  'CARD_URL',
  'CARD_API_KEY',
  'CARD_MERCHANT_ACCOUNT',
  'CARD_HMAC_KEY',
  'CARD_PUBLIC_KEY',
  'NETWORK_URL',
  'NETWORK_AUTH',
  'NETWORK_TOKEN_URL',
  'NETWORK_CLIENT_ID',
  'NETWORK_CLIENT_SECRET',
  'NETWORK_TLS_CERT_GIVEN',
  'NETWORK_TLS_KEY_GIVEN',
  'NETWORK_TLS_CA_GIVEN',
  'SMTP_URL',
  'SMS_URL',
  'SMS_API_KEY',
  'OTHER_AUTHORITIES',
] as const

export const laterStepVariables = [
  'CARD_HMAC_KEY_NEW',
  'CARD_API_KEY_NEW',
  'NETWORK_CLIENT_SECRET_NEW',
  'SMS_API_KEY_NEW',
  'SMTP_URL_NEW',
  'ORDER',
] as const

export type InstallationVariable = (typeof installationVariables)[number]
export type ProviderVariable = (typeof providerVariables)[number]
export type LaterStepVariable = (typeof laterStepVariables)[number]
export const knownVariableNames: ReadonlySet<string> = new Set([
  ...installationVariables,
  ...providerVariables,
  ...laterStepVariables,
])
