/** How long a success message shows, in milliseconds (spec 9). */
export const toastTime = 1500
