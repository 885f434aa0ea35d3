import { render } from '@testing-library/react'
import { vi } from 'vitest'
import { pages } from '#desk/app/pages.ts'
import { DeskShell } from '#desk/app/web/DeskShell.tsx'
import { meQuery } from '#desk/features/staff/web/me.queries.ts'
import type { Staff } from '#desk/features/staff/staff.contract.ts'
import { matchPage, createRouteTable } from '#kit/web/page.ts'
import { createQueryClient } from '#kit/web/query/query-client.ts'
import { loadPage } from '#kit/web/router/page-modules.ts'
import { type FakeApi, createFakeApi, type Reply, testBootstrap } from './open-portal.tsx'

export const testStaff = (change: Partial<Staff> = {}): Staff => ({
  id: '5f0c1f0e-0000-4000-8000-000000000001',
  name: 'Hine Walker',
  email: 'hine.walker@fantail.example',
  roles: ['support'],
  is_lead: false,
  passkeys: 2,
  ...change,
})

export const meAs = (staff: Staff | null, demo: object[] = []) => ({ staff, demo })

export async function openDeskPage(path: string, replies: Record<string, Reply>): Promise<FakeApi> {
  const api = createFakeApi({ 'GET /api/desk/me/': meAs(testStaff()), ...replies })
  history.replaceState(null, '', path)
  await loadPage(matchPage(pages, location.pathname).page)
  const client = createQueryClient({ retries: 0 })
  await client.prefetchQuery(meQuery(api))
  render(<DeskShell table={createRouteTable(pages)} api={api} bootstrap={testBootstrap} client={client} />)
  return api
}

export const mockNavigation = () => vi.spyOn(location, 'assign').mockImplementation(() => {})
