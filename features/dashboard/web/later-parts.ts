// The parts of a service's page that few see, or that come once something has answered, in a list that is itself loaded later: the
// files of each are named where it is imported, and in the page's own script those names were more than the page's newest parts.

export const parts = {
  addOns: () => import('#features/usage/web/AddOns.tsx'),
  alertsFact: () => import('#features/alerts/web/AlertsFact.tsx'),
  dataUsedUp: () => import('./DataUsedUp.tsx'),
  disableAutoRenewal: () => import('#features/auto-renewal/web/DisableAutoRenewal.tsx'),
  enableAutoRenewal: () => import('#features/auto-renewal/web/EnableAutoRenewal.tsx'),
  forecast: () => import('#features/usage/web/Forecast.tsx'),
  moreNumbers: () => import('#features/services/web/MoreNumbers.tsx'),
  nextPlanButton: () => import('./NextPlanButton.tsx'),
  noServices: () => import('./NoServices.tsx'),
  portNews: () => import('./PortNews.tsx'),
}
