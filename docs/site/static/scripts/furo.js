// Stands in for furo's script, which Debian ships as a module that a page read from disk may not load: light or dark, and where
// on the page the reader is.
"use strict";
(function () {
    document.documentElement.classList.remove("no-js");

    var system = window.matchMedia("(prefers-color-scheme: dark)");
    function theme() {
        var chosen = localStorage.getItem("theme");
        return chosen === "dark" || chosen === "light" ? chosen : system.matches ? "dark" : "light";
    }
    function show() {
        document.body.dataset.theme = theme();
    }
    system.addEventListener("change", show);
    document.querySelectorAll(".theme-toggle").forEach(function (button) {
        button.addEventListener("click", function () {
            localStorage.setItem("theme", theme() === "dark" ? "light" : "dark");
            show();
        });
    });
    show();

    var entries = Array.from(document.querySelectorAll(".toc-tree a.reference")).map(function (link) {
        var id = decodeURIComponent(link.hash.slice(1));
        return { item: link.parentElement, place: id ? document.getElementById(id) : document.querySelector("article") };
    });
    function mark() {
        var current = null;
        entries.forEach(function (entry) {
            entry.item.classList.remove("scroll-current");
            if (entry.place && entry.place.getBoundingClientRect().top < 120)
                current = entry;
        });
        if (current)
            current.item.classList.add("scroll-current");
    }
    window.addEventListener("scroll", mark, { passive: true });
    mark();
})();
