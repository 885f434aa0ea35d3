import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const alertMessages = {
  channel: 'Please choose how we should alert you.',
  endFixed: 'This alert stays on while auto-renewal is off.',
  saved: 'Your alert settings are saved.',
} as const

const channelSchema = v.picklist(['off', 'text', 'email', 'both'], alertMessages.channel)
export type AlertChannel = v.InferOutput<typeof channelSchema>

export const alertSettingsSchema = v.object({
  half: channelSchema,
  most: channelSchema,
  all: channelSchema,
  /**
   * Channel for the notice before a plan renews. When a plan will not renew, its end is always announced by both text
   * and email.
   */
  before_end: v.picklist(['email', 'both'], alertMessages.channel),
})
export type AlertSettings = v.InferOutput<typeof alertSettingsSchema>

export const usageAlerts = ['half', 'most', 'all'] as const satisfies (keyof AlertSettings)[]
export type UsageAlert = (typeof usageAlerts)[number]

const alertsViewSchema = v.object({
  ...alertSettingsSchema.entries,
  percents: v.object({ half: v.number(), most: v.number(), all: v.number() }),
  /** True while auto-renewal is off. `before_end` is always `both` in that case. */
  end_fixed: v.boolean(),
})
export type AlertsView = v.InferOutput<typeof alertsViewSchema>

const serviceParams = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const readAlerts = endpoint({
  method: 'GET',
  path: '/api/services/alerts/:uuid/',
  summary: 'Returns a service’s alert settings: how the customer is notified of data use and of the plan’s end',
  params: serviceParams,
  output: alertsViewSchema,
})

export const saveAlerts = endpoint({
  method: 'POST',
  path: '/api/services/alerts/:uuid/',
  summary: 'Saves a service’s alert settings; 400 when `before_end` is not `both` while auto-renewal is off',
  params: serviceParams,
  body: alertSettingsSchema,
  output: alertsViewSchema,
})
