import { render } from '@testing-library/react'
import { Portal } from '#app/web/Portal.tsx'
import type { Bootstrap } from '#kit/contract/bootstrap.ts'
import { type Api, type RequestInput, type Endpoint, buildPath } from '#kit/contract/endpoint.ts'
import { markets } from '#kit/server/markets.ts'
import { definePages, matchPage, type PageEntry, createRouteTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage } from '#kit/web/router/page-modules.ts'
import { buildPageTime } from '#quality/support/zone-clock.ts'

export type Call = { at: string; body: unknown; query: unknown; headers: Record<string, string> }

/**
 * A fake response to an API request: a body to send with status 200, a different response made with `withStatus`, or an error to throw,
 * such as an `ApiError`.
 */
type FakeResponse = object | null
export type Reply = FakeResponse | Promise<FakeResponse> | ((call: Call) => FakeResponse | Promise<FakeResponse>)

const statusKey = Symbol('status')

export const withStatus = (code: number, body: object): object => ({ ...body, [statusKey]: code })

const getResponseStatus = (answer: FakeResponse): number =>
  answer && statusKey in answer ? (answer[statusKey] as number) : 200

export type FakeApi = Api & { calls: Call[]; replies: Record<string, Reply> }

export function createFakeApi(replies: Record<string, Reply>): FakeApi {
  const calls: Call[] = []
  return {
    calls,
    replies,
    async call(endpoint: Endpoint, { params, query, body, headers = {} }: RequestInput) {
      const call = {
        at: `${endpoint.method} ${buildPath(endpoint, params as Record<string, string>)}`,
        body,
        query,
        headers,
      }
      calls.push(call)
      const reply = replies[call.at]
      const answer = typeof reply === 'function' ? await reply(call) : await reply
      if (answer === undefined) throw new Error(`No reply is set for ${call.at}`)
      if (answer instanceof Error) throw answer
      return { status: getResponseStatus(answer), data: answer as never }
    },
  }
}

export const testBootstrap: Bootstrap = {
  layout: {
    menus: { header: [], footer: [] },
    roaming_link_text: 'Where you can use it',
    roaming_link_url: 'https://fantail.example/roaming',
    plan_selection_terms: ['A Prepay Plan starts on the day you buy it.'],
    faq_url: 'https://fantail.example/faq',
    order_sim_url: 'https://fantail.example/order',
    copyright: '© Fantail Mobile Limited',
  },
  market: {
    code: 'NZ',
    zone: 'Pacific/Auckland',
    currency: 'NZD',
    phoneRegion: 'NZ',
    country: 'New Zealand',
    taxLabel: 'GST number',
    taxPart: [3, 23],
  },
  brand: {
    name: 'Fantail Mobile',
    shortName: 'Fantail',
    mark: '/static/brand/mark.svg',
    description: 'Look after your Fantail Mobile plan.',
    help: { phone: '0800 326 824', hours: '8 am to 8 pm' },
  },
  ...buildPageTime('2026-11-21T00:00:00Z'),
  card: { gateway: 'adyen', publicKey: '10001|c4f3', types: ['visa', 'mc', 'amex'] },
}

export const australianBootstrap: Bootstrap = { ...testBootstrap, market: markets.AU }

const notFoundPage: PageEntry = {
  path: /^/,
  title: 'Not Found',
  status: 404,
  component: async () => ({ default: () => <h1>No such page</h1> }),
}

export async function openPortal(
  entries: readonly PageEntry[],
  path: string,
  api: Api,
  bootstrap = testBootstrap,
): Promise<void> {
  const pages = definePages([...entries, notFoundPage])
  history.replaceState(null, '', path)
  await loadPage(matchPage(pages, path).page)
  render(
    <Portal
      table={createRouteTable(pages)}
      api={api}
      bootstrap={bootstrap}
      client={createQueryClient({ retries: 0 })}
    />,
  )
}

export function getFieldError(control: HTMLElement): string | null {
  if (control.getAttribute('aria-invalid') !== 'true') return null
  return document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent ?? ''
}
