// The pictures and figures are in the document and need no script. This one moves the marker and shows the figures of its limit.
(() => {
  const slider = document.getElementById('n'), marker = document.getElementById('cur');
  const steps = document.querySelectorAll('.step'), suggestions = document.querySelectorAll('.sg');
  function show(chosen) {
    marker.setAttribute('x', chosen * 100 / steps.length + '%');
    steps.forEach((step, i) => { step.hidden = i !== chosen; });
    suggestions.forEach(button => button.setAttribute('aria-pressed', Number(button.dataset.i) === chosen));
    slider.setAttribute('aria-valuetext', steps[chosen].dataset.value);
  }
  slider.addEventListener('input', () => show(Number(slider.value)));
  suggestions.forEach(button => button.addEventListener('click', () => {
    slider.value = button.dataset.i;
    show(Number(slider.value));
  }));
  document.documentElement.classList.add('js');
  show(Number(slider.value));
})();
