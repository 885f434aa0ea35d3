import type { PageNeeds } from '#kit/web/page.ts'

/** Until there is a dashboard, the portal's front door is what anybody can do here. */
export const redirect: PageNeeds['redirect'] = () => '/activate/'
