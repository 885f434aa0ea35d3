import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const alertMessages = {
  channel: 'Please choose how we should tell you.',
  endFixed: 'This stays on while auto-renewal is off.',
  saved: 'Your alerts are saved.',
} as const

const channelSchema = v.picklist(['off', 'text', 'email', 'both'], alertMessages.channel)
export type AlertChannel = v.InferOutput<typeof channelSchema>

export const alertsSchema = v.object({
  half: channelSchema,
  most: channelSchema,
  all: channelSchema,
  /** The channel before a plan renews as planned. The end of a plan without renewal is always announced by both. */
  before_end: v.picklist(['email', 'both'], alertMessages.channel),
})
export type Alerts = v.InferOutput<typeof alertsSchema>

export const usageAlerts = ['half', 'most', 'all'] as const satisfies (keyof Alerts)[]
export type UsageAlert = (typeof usageAlerts)[number]

const alertsViewSchema = v.object({
  ...alertsSchema.entries,
  percents: v.object({ half: v.number(), most: v.number(), all: v.number() }),
  /** Auto-renewal is off, so `before_end` is fixed to `both`. */
  end_fixed: v.boolean(),
})
export type AlertsView = v.InferOutput<typeof alertsViewSchema>

const serviceParams = v.object({ uuid: v.pipe(v.string(), v.maxLength(100)) })

export const readAlerts = endpoint({
  method: 'GET',
  path: '/api/services/alerts/:uuid/',
  summary: 'Shows how the customer is told about a service’s data use, and before its plan ends',
  params: serviceParams,
  output: alertsViewSchema,
})

export const saveAlerts = endpoint({
  method: 'POST',
  path: '/api/services/alerts/:uuid/',
  summary: 'Saves how the customer is told; 400 when `before_end` is not `both` while auto-renewal is off',
  params: serviceParams,
  body: alertsSchema,
  output: alertsViewSchema,
})
