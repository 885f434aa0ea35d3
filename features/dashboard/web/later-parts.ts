// Parts of the service page that few customers see, or that need a response first. This list is itself loaded on
// demand: each import adds the names of its files to the importing script, which made the page's own script too large.

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
