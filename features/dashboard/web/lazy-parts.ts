/*
 * Parts of the service page that few customers see, or that cannot be shown before an API response arrives. This module
 * is itself loaded on demand, because each import adds file names to the importing script, and the page's own script
 * would become too large.
 */

export const componentLoaders = {
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
