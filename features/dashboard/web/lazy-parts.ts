/*
 * Parts of the service page that few customers see, or that first need an API response. This list is itself loaded on
 * demand: each import adds its file names to the importing script, which made the page's own script too large.
 */

export const lazyParts = {
  addOns: () => import('#features/usage/web/AddOns.tsx'),
  alertsFact: () => import('#features/alerts/web/AlertsSummary.tsx'),
  dataUsedUp: () => import('./DataUsedUpPanel.tsx'),
  disableAutoRenewal: () => import('#features/auto-renewal/web/DisableAutoRenewal.tsx'),
  enableAutoRenewal: () => import('#features/auto-renewal/web/EnableAutoRenewal.tsx'),
  forecast: () => import('#features/usage/web/Forecast.tsx'),
  moreNumbers: () => import('#features/services/web/MoreNumbersButton.tsx'),
  nextPlanButton: () => import('./NextPlanButton.tsx'),
  noServices: () => import('./NoServices.tsx'),
  portNews: () => import('./TransferNotice.tsx'),
}
