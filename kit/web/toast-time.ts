/** Milliseconds for which a success message shows (spec 9). */
export const toastTime = 1500
