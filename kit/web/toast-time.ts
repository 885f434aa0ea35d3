/** Milliseconds for which a success message shows (specification, section 9). */
export const toastTime = 1500
